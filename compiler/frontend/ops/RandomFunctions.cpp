//===- RandomFunctions.cpp - random samples -------------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

using namespace tg;
using namespace tg::dsl;

Tensor dsl::drawSamples(const char *op, const BodyPtr &body,
                        const std::vector<int64_t> &shape,
                        const std::vector<Operand> &extents, DType dtype,
                        Place where) {
  std::vector<Operand> operands = {
      Operand(readSeed(body, where), where),
      Operand(readSampleCounter(body, where), where)};
  operands.insert(operands.end(), extents.begin(), extents.end());
  std::vector<Attribute> attributes = {{"shape", shape},
                                       {"stream", body->nextStream()}};
  if (dtype != f32)
    attributes.push_back({"element_type", dtype});
  return call(op, operands, std::move(attributes));
}

/// Returns random samples with the extents and the type of a tensor.
static Tensor drawLike(const char *op, const Operand &like) {
  const Tensor &tensor = like.tensor();
  return drawSamples(op, tensor.body(), extentList(tensor),
                     unknownExtents(tensor), tensor.dtype(), like.where());
}

Tensor tg::randomUniformLike(Operand like) {
  Scope scope(like);
  return drawLike("random_uniform", like);
}

Tensor tg::randomNormalLike(Operand like) {
  Scope scope(like);
  return drawLike("random_normal", like);
}

/// Completes the noise shape of dropout, and returns its dynamic extents.
static std::vector<Operand> noiseExtents(const Operand &input,
                                         std::vector<int64_t> &shape) {
  std::vector<int64_t> extents = extentList(input);
  if (shape.empty())
    shape.assign(extents.size(), -1);
  if (shape.size() != extents.size())
    raise("expected a noise shape of rank " + std::to_string(extents.size()) +
              ", found rank " + std::to_string(shape.size()),
          input.tensor().body(), input.where());
  std::vector<Operand> unknown;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != -1)
      continue;
    shape[axis] = extents[axis];
    if (extents[axis] == -1)
      unknown.push_back(extentOf(input, static_cast<int64_t>(axis)));
  }
  return unknown;
}

Tensor tg::dropout(Operand input, const DropoutOptions &options) {
  Scope scope(input);
  const Operand &rate = options.rate;
  if (rate.isNumber() && !(rate.number() >= 0 && rate.number() < 1))
    raise("expected a dropout rate in [0, 1), found " + textOf(rate.number()),
          input.tensor().body(), rate.where());
  if (rate.isNumber() && rate.number() == 0)
    return input;
  std::vector<int64_t> shape = options.noiseShape;
  std::vector<Operand> extents = noiseExtents(input, shape);
  const Tensor &tensor = input.tensor();
  Tensor drawn = drawSamples("random_uniform", tensor.body(), shape, extents,
                             tensor.dtype(), input.where());
  Tensor kept =
      rate.isNumber() ? input / (1 - rate.number()) : input / (1.0 - rate);
  return select(drawn >= rate, kept, 0.0);
}

Tensor tg::shuffle(Operand input) {
  Scope scope(input);
  Tensor rows = positions(input, 0, f64);
  return gather(input, argSort(randomUniformLike(rows)));
}

Tensor tg::categorical(Operand logits) {
  Scope scope(logits);
  if (DType found = logits.tensor().dtype(); !isFloat(found))
    raise("expected logits to be float, found " + toString(found) + " " +
              toString(logits.tensor().shape()),
          logits.tensor().body(), logits.where());
  return argMax(logits - log(-log(randomUniformLike(logits))));
}
