//===- Attention.cpp - attention layers and transformer blocks ------------===//
#include "tg/nn/Attention.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/nn/Dropout.h"
#include "tg/nn/Linear.h"
#include "tg/nn/Normalization.h"
#include "tg/tensor/error.h"

using namespace tg;

namespace {
/// The inputs of attention by role. mask and lengths may be undefined.
struct InputRoles {
  Tensor query, key, value, mask, lengths;

  AttentionOptions optionsOf(bool causal, double rate, Mode mode) const {
    return {.mask = mask,
            .lengths = lengths,
            .causal = causal,
            .rate = mode == Mode::train ? rate : 0};
  }
};
} // namespace

static InputRoles rolesOf(const std::vector<Tensor> &inputs,
                          std::source_location where) {
  if (inputs.size() > 4)
    throw GraphError("expected a query, a key, a value and a mask or lengths "
                     "at most, found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
  InputRoles roles{inputs[0], inputs[0], inputs[0], {}, {}};
  if (inputs.size() > 1)
    roles.key = roles.value = inputs[1];
  if (inputs.size() > 2)
    roles.value = inputs[2];
  if (inputs.size() > 3)
    (inputs[3].dtype() == boolean ? roles.mask : roles.lengths) = inputs[3];
  return roles;
}

void Attention::checkRate(double rate, std::source_location where) {
  if (!(rate >= 0 && rate < 1))
    throw GraphError(
        "expected a dropout rate in [0, 1), found " + dsl::textOf(rate), where);
}

std::vector<Tensor> Attention::link(std::vector<Tensor> inputs, Mode mode) {
  InputRoles roles = rolesOf(inputs, where);
  return {attention(roles.query, roles.key, roles.value,
                    roles.optionsOf(options.causal, options.rate, mode))};
}

MultiHeadAttention::MultiHeadAttention(MultiHeadAttentionOptions options,
                                       std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)), where(where) {
  if (this->options.heads < 1 || this->options.headSize < 0)
    throw GraphError("expected at least 1 head and a head size of at least 0, "
                     "found " +
                         std::to_string(this->options.heads) + " and " +
                         std::to_string(this->options.headSize),
                     where);
  Attention::checkRate(this->options.rate, where);
}

int64_t MultiHeadAttention::headSizeFor(const Tensor &query) const {
  int64_t units = query.dim(-1, where);
  if (options.headSize == 0 && units % options.heads != 0)
    throw GraphError("expected a number of heads that divides the width of the "
                     "query (" +
                         std::to_string(units) + "), found " +
                         std::to_string(options.heads),
                     where);
  return options.headSize == 0 ? units / options.heads : options.headSize;
}

/// Projects [n, t, d] to [n, heads, t, headSize].
Tensor MultiHeadAttention::project(const Tensor &input, const std::string &role,
                                   int64_t headSize) {
  int64_t units = input.dim(-1, where);
  int64_t all = options.heads * headSize;
  Tensor weight = variable(role + "_weight", {units, all},
                           options.weightInitializer, {.dtype = input.dtype()});
  Tensor heads =
      einsum("ntd,dhw->nhtw",
             {input, reshape(weight, {units, options.heads, headSize})});
  if (!options.useBias)
    return heads;
  Tensor bias = variable(role + "_bias", {all}, zeros(),
                         {.dtype = input.dtype(), .isWeight = false});
  return heads + reshape(bias, {options.heads, 1, headSize});
}

/// Projects [n, heads, t, headSize] to [n, t, units].
Tensor MultiHeadAttention::join(const Tensor &heads, int64_t units) {
  int64_t headSize = heads.dim(-1);
  int64_t all = options.heads * headSize;
  Tensor weight = variable("output_weight", {all, units},
                           options.weightInitializer, {.dtype = heads.dtype()});
  Tensor rows =
      einsum("nhtw,hwd->ntd",
             {heads, reshape(weight, {options.heads, headSize, units})});
  if (!options.useBias)
    return rows;
  return rows + variable("output_bias", {units}, zeros(),
                         {.dtype = heads.dtype(), .isWeight = false});
}

std::vector<Tensor> MultiHeadAttention::link(std::vector<Tensor> inputs,
                                             Mode mode) {
  InputRoles roles = rolesOf(inputs, where);
  for (const Tensor *rows : {&roles.query, &roles.key, &roles.value})
    if (rows->rank() != 3)
      throw GraphError("expected rows of examples [n, t, d], found " +
                           toString(rows->shape()),
                       where);
  int64_t headSize = headSizeFor(roles.query);
  if (roles.mask.isDefined() && roles.mask.rank() > 2)
    roles.mask = expandDims(roles.mask, -3); // broadcast to all heads
  Tensor heads = attention(project(roles.query, "query", headSize),
                           project(roles.key, "key", headSize),
                           project(roles.value, "value", headSize),
                           roles.optionsOf(options.causal, options.rate, mode));
  return {join(heads, roles.query.dim(-1, where))};
}

//===----------------------------------------------------------------------===//
// TransformerEncoderBlock
//===----------------------------------------------------------------------===//

/// The inner layers of a block.
struct TransformerEncoderBlock::Steps {
  LayerNormalization attentionNorm, unitsNorm;
  MultiHeadAttention attention;
  Linear hidden, output;
  Dropout drop;
};

TransformerEncoderBlock::TransformerEncoderBlock(
    TransformerEncoderBlockOptions chosen, std::source_location place)
    : BaseLayer(place, chosen.name, chosen.variables),
      options(std::move(chosen)), where(place),
      steps(std::make_shared<std::shared_ptr<Steps>>()) {
  if (options.units < 0)
    throw GraphError("expected a number of units of at least 0, found " +
                         std::to_string(options.units),
                     where);
  makeSteps(/*width=*/1); // checks the options without an input
  steps->reset();
}

void TransformerEncoderBlock::makeSteps(int64_t width) {
  int64_t units = options.units == 0 ? 4 * width : options.units;
  *steps = std::make_shared<Steps>(Steps{
      LayerNormalization({.epsilon = options.epsilon, .name = "attention_norm"},
                         where),
      LayerNormalization({.epsilon = options.epsilon, .name = "units_norm"},
                         where),
      MultiHeadAttention({.heads = options.heads,
                          .headSize = options.headSize,
                          .causal = options.causal,
                          .rate = options.rate,
                          .weightInitializer = options.weightInitializer,
                          .name = "attention"},
                         where),
      Linear({.units = units,
              .activation = options.activation,
              .weightInitializer = options.weightInitializer,
              .name = "hidden"},
             where),
      Linear({.units = width,
              .weightInitializer = options.weightInitializer,
              .name = "output"},
             where),
      Dropout({.rate = options.rate}, where)});
}

std::vector<Tensor> TransformerEncoderBlock::link(std::vector<Tensor> inputs,
                                                  Mode) {
  if (inputs.size() > 2)
    throw GraphError("expected rows and a mask or lengths at most, found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
  Tensor x = inputs[0];
  if (!*steps)
    makeSteps(x.dim(-1, where));
  Steps &layers = **steps;
  auto drop = [&](const Tensor &rows) {
    return options.rate == 0 ? rows : layers.drop(rows);
  };
  auto attend = [&](const Tensor &rows) {
    return drop(inputs.size() == 1
                    ? layers.attention(rows)
                    : layers.attention(rows, rows, rows, inputs[1]));
  };
  auto feed = [&](const Tensor &rows) {
    return drop(layers.output(drop(layers.hidden(rows))));
  };
  if (options.normalizeFirst) {
    x = x + attend(layers.attentionNorm(x));
    return {x + feed(layers.unitsNorm(x))};
  }
  x = layers.attentionNorm(x + attend(x));
  return {layers.unitsNorm(x + feed(x))};
}
