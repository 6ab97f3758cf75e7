//===- Tensors.cpp - products, attention, normalization -------------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

#include <cmath>

using namespace tg;
using namespace tg::dsl;

Tensor tg::matmul(Operand lhs, Operand rhs, const MatmulOptions &options) {
  std::vector<Attribute> attributes;
  if (options.transposeLhs)
    attributes.push_back({"transpose_lhs", Attribute::Flag()});
  if (options.transposeRhs)
    attributes.push_back({"transpose_rhs", Attribute::Flag()});
  for (const Operand &operand : {lhs, rhs})
    operand.tensor(); // throws for a number
  Tensor product = call("matmul", {lhs, rhs}, std::move(attributes));
  product.body()->setKind(product.id(), "MatMul");
  return product;
}

Tensor tg::xwPlusB(Operand input, Operand weight, Operand bias) {
  Scope scope(input);
  return biasAdd(matmul(input, weight), bias);
}

Tensor tg::biasAdd(Operand input, Operand bias, int64_t axis) {
  Scope scope(input);
  axis = resolveAxis(input, axis);
  const Tensor &list = bias.tensor();
  int64_t extent = extentList(input)[axis];
  if (list.rank() != 1 || (extent != -1 && extentList(list)[0] != -1 &&
                           extent != extentList(list)[0]))
    raise("expected a bias " + toString(Shape{extent}) + ", found " +
              toString(list.shape()),
          list.body(), bias.where());
  Tensor aligned = list;
  for (int64_t behind = axis + 1; behind < input.tensor().rank(); ++behind)
    aligned = expandDims(aligned, -1);
  return input + aligned;
}

/// Returns a boolean mask of the scores that is true for the keys (along the
/// last dimension) that each query attends to. Returns an undefined tensor if
/// all queries attend to all keys.
static Tensor visibleKeys(const Tensor &scores,
                          const AttentionOptions &options) {
  Tensor mask = options.mask;
  auto add = [&](const Tensor &other) {
    mask = mask.isDefined() ? mask & other : other;
  };
  if (options.lengths.isDefined()) {
    Tensor bounds = options.lengths;
    for (int64_t axis = 1; axis < scores.rank(); ++axis)
      bounds = expandDims(bounds, -1);
    add(iotaLike(scores, -1, bounds.dtype()) < bounds);
  }
  if (options.causal)
    add(iotaLike(scores, -1) <= iotaLike(scores, -2));
  return mask;
}

Tensor tg::attention(Operand query, Operand key, Operand value,
                     const AttentionOptions &options) {
  Scope scope(query);
  const Tensor &lengths = options.lengths;
  if (lengths.isDefined() && lengths.rank() != 1)
    raise("expected lengths [n], found " + toString(lengths.shape()),
          query.tensor().body(), query.where());
  Tensor width = elementCount(query, {-1}, query.tensor().dtype());
  Tensor scores = matmul(query / sqrt(width), key, {.transposeRhs = true});
  Tensor mask = visibleKeys(scores, options);
  Tensor weights =
      mask.isDefined() ? maskedSoftmax(scores, mask) : softmax(scores);
  if (options.rate != 0)
    weights = dropout(weights, {.rate = options.rate});
  return matmul(weights, value);
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

static void checkEpsilon(const Operand &input, double epsilon) {
  if (!(epsilon > 0 && std::isfinite(epsilon)))
    raise("expected an epsilon above 0, found " + textOf(epsilon),
          input.tensor().body(), input.where());
}

Tensor tg::batchNorm(Operand input, const Moments &moments, Operand gamma,
                     Operand beta, const BatchNormOptions &options) {
  Scope scope(input);
  checkEpsilon(input, options.epsilon);
  expectDefined(moments.mean, input.where());
  expectDefined(moments.variance, input.where());
  int64_t axis = resolveAxis(input, options.axis);
  int64_t after = input.tensor().rank() - 1 - axis;
  auto align = [&](const Operand &channels) -> Tensor {
    Tensor tensor = toTensorLike(channels, input);
    std::vector<int64_t> shape = extentList(tensor);
    if (after == 0 || shape.empty())
      return tensor;
    shape.resize(1 + after, 1);
    return reshape(tensor, shape);
  };
  Tensor scale = gamma / sqrt(moments.variance + options.epsilon);
  return (input - align(moments.mean)) * align(scale) + align(beta);
}

Tensor tg::layerNorm(Operand input, Operand gamma, Operand beta,
                     double epsilon) {
  Scope scope(input);
  checkEpsilon(input, epsilon);
  Moments row = moments(input, {{-1}, true});
  return (input - row.mean) / sqrt(row.variance + epsilon) * gamma + beta;
}
