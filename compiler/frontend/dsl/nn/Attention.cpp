//===- Attention.cpp - layers whose rows look at other rows ---------------===//
#include "tg/nn/Attention.h"
#include "tg/error.h"

using namespace tg;

namespace {
/// The inputs of attention by their parts.
struct Parts {
  Tensor query, key, value, mask;
};
} // namespace

static Parts partsOf(const std::vector<Tensor> &inputs,
                     std::source_location where) {
  if (inputs.size() > 4)
    throw GraphError("expected a query, a key, a value and a mask at most, "
                     "found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
  Parts parts{inputs[0], inputs[0], inputs[0], {}};
  if (inputs.size() > 1)
    parts.key = parts.value = inputs[1];
  if (inputs.size() > 2)
    parts.value = inputs[2];
  if (inputs.size() > 3)
    parts.mask = inputs[3];
  return parts;
}

std::vector<Tensor> Attention::link(std::vector<Tensor> inputs, Mode) {
  Parts parts = partsOf(inputs, where);
  return {attention(parts.query, parts.key, parts.value,
                    {.mask = parts.mask, .causal = options.causal})};
}

MultiHeadAttention::MultiHeadAttention(MultiHeadAttentionOptions options,
                                       std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)), where(where) {
  if (this->options.heads < 1 || this->options.width < 0)
    throw GraphError("expected at least 1 head and a width of at least 0, "
                     "found " +
                         std::to_string(this->options.heads) + " and " +
                         std::to_string(this->options.width),
                     where);
}

int64_t MultiHeadAttention::widthFor(const Tensor &query) const {
  int64_t units = query.dim(-1, where);
  if (options.width == 0 && units % options.heads != 0)
    throw GraphError("expected a number of heads that divides the width of the "
                     "query (" +
                         std::to_string(units) + "), found " +
                         std::to_string(options.heads),
                     where);
  return options.width == 0 ? units / options.heads : options.width;
}

/// [n, t, d] to [n, heads, t, width].
Tensor MultiHeadAttention::project(const Tensor &input, const std::string &part,
                                   int64_t width) {
  int64_t units = input.dim(-1, where), all = options.heads * width;
  Tensor weight = variable(part + "_weight", {units, all},
                           options.weightInitializer, {.dtype = input.dtype()});
  Tensor heads = einsum(
      "ntd,dhw->nhtw", {input, reshape(weight, {units, options.heads, width})});
  if (!options.useBias)
    return heads;
  Tensor bias = variable(part + "_bias", {all}, zeros(),
                         {.dtype = input.dtype(), .isWeight = false});
  return heads + reshape(bias, {options.heads, 1, width});
}

/// [n, heads, t, width] to [n, t, units].
Tensor MultiHeadAttention::join(const Tensor &heads, int64_t units) {
  int64_t width = heads.dim(-1), all = options.heads * width;
  Tensor weight = variable("output_weight", {all, units},
                           options.weightInitializer, {.dtype = heads.dtype()});
  Tensor rows = einsum("nhtw,hwd->ntd",
                       {heads, reshape(weight, {options.heads, width, units})});
  if (!options.useBias)
    return rows;
  return rows + variable("output_bias", {units}, zeros(),
                         {.dtype = heads.dtype(), .isWeight = false});
}

std::vector<Tensor> MultiHeadAttention::link(std::vector<Tensor> inputs, Mode) {
  Parts parts = partsOf(inputs, where);
  for (const Tensor *rows : {&parts.query, &parts.key, &parts.value})
    if (rows->rank() != 3)
      throw GraphError("expected rows of examples [n, t, d], found " +
                           toString(rows->shape()),
                       where);
  int64_t width = widthFor(parts.query);
  if (parts.mask.isDefined() && parts.mask.rank() > 2)
    parts.mask = expandDims(parts.mask, -3); // the same for all heads
  Tensor heads = attention(project(parts.query, "query", width),
                           project(parts.key, "key", width),
                           project(parts.value, "value", width),
                           {.mask = parts.mask, .causal = options.causal});
  return {join(heads, parts.query.dim(-1, where))};
}
