//===- Embedding.cpp - embeddings, positions and one-hot encodings --------===//
#include "tg/nn/Embedding.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/error.h"
#include "tg/tensor/sequences.h"

using namespace tg;

Embedding::Embedding(EmbeddingOptions options, std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)) {
  const EmbeddingOptions &chosen = this->options;
  if (!chosen.table.isDefined() && (chosen.vocabulary < 1 || chosen.units < 1))
    throw GraphError("expected a vocabulary and units of at least 1, found " +
                         std::to_string(chosen.vocabulary) + " and " +
                         std::to_string(chosen.units),
                     where);
}

void Embedding::build(const TensorType &) {
  table = options.table.isDefined()
              ? use(options.table)
              : variable("table", {options.vocabulary, options.units},
                         options.initializer);
}

/// With `zeroPad`, index 0 gives zeros, and index i > 0 gives row i - 1 of the
/// table. The lookup uses row 0 for index 0, and its result is then replaced by
/// zeros. The original indices are checked before they change.
Tensor Embedding::train(Tensor input) {
  DType dtype = input.dtype();
  if (!dsl::isFloat(dtype) && dtype != boolean && dtype != i64)
    input = cast(input, i32);
  if (!options.zeroPad)
    return gather(table, input);
  Tensor index = ensureIndex(input, table.dim(0) + 1);
  Tensor isPadding = index == 0.0;
  Tensor rows = gather(table, select(isPadding, 0.0, index - 1.0));
  return select(expandDims(isPadding, -1), 0.0, rows);
}

PositionEmbedding::PositionEmbedding(PositionEmbeddingOptions options,
                                     std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)), where(where) {
  if (this->options.length < 1)
    throw GraphError("expected a length of at least 1, found " +
                         std::to_string(this->options.length),
                     where);
}

/// Throws GraphError unless the input is [n, t, d] of floats with a static d.
static void expectSteps(const TensorType &input, std::source_location where) {
  if (input.rank() != 3 || !dsl::isFloat(input.dtype) ||
      !input.shape[2].isKnown())
    throw GraphError("expected float sequences [n, t, d] with d known, found " +
                         toString(input.dtype) + " " + toString(input.shape),
                     where);
}

void PositionEmbedding::build(const TensorType &input) {
  expectSteps(input, where);
  table = variable("positions", {options.length, input.shape[2].value},
                   options.initializer, {.dtype = input.dtype});
}

Tensor PositionEmbedding::train(Tensor input) {
  Extent steps = input.shape()[1];
  Operand size = steps.isKnown() ? Operand(double(steps.value))
                                 : Operand(extentOf(input, 1));
  return input + slice(table, {.starts = {0, 0}, .sizes = {size, -1}});
}

Tensor SinusoidalPositionEmbedding::train(Tensor input) {
  expectSteps(input.type(), where);
  return input +
         sinusoids(positions(input, 1), input.dim(-1, where), input.dtype());
}

OneHot::OneHot(OneHotOptions options, std::source_location where)
    : BaseLayer(where, options.name), options(options) {
  if (options.classes < 1)
    throw GraphError("expected at least 1 class, found " +
                         std::to_string(options.classes),
                     where);
}

Tensor OneHot::train(Tensor input) { return oneHot(input, options.classes); }

Tensor OneSample::train(Tensor input) {
  return oneHot(categorical(input), input.dim(-1, where), input.dtype());
}
