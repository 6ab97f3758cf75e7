//===- Tensors.cpp - contractions, reductions, random samples -------------===//
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/tensor/control.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/sequences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

/// Returns the mask of the keys, the last dimension of the scores, that each
/// query attends to. Returns an undefined tensor if there is no mask.
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
// Reductions
//===----------------------------------------------------------------------===//

static std::vector<Attribute> attributesOf(const Operand &input,
                                           const ReduceOptions &options) {
  std::vector<Attribute> attributes;
  if (!options.axes.empty())
    attributes.push_back({"axes", resolveAxes(input, options.axes)});
  if (options.keepDims)
    attributes.push_back({"keep_dims", Attribute::Flag()});
  return attributes;
}

/// Reductions that build a single op.
#define TG_REDUCTION(function, op)                                             \
  Tensor tg::function(Operand input, const ReduceOptions &options) {           \
    return call(op, {input}, attributesOf(input, options));                    \
  }
TG_REDUCTION(reduceSum, "reduce_sum")
TG_REDUCTION(reduceProd, "reduce_prod")
TG_REDUCTION(reduceMax, "reduce_max")
TG_REDUCTION(reduceMin, "reduce_min")
#undef TG_REDUCTION

Tensor tg::reduceAny(Operand input, const ReduceOptions &options) {
  return reduceMax(input, options);
}

Tensor tg::reduceAll(Operand input, const ReduceOptions &options) {
  return reduceMin(input, options);
}

/// Returns the given axes, or all axes if none are given.
static std::vector<int64_t> axesOf(const Operand &input,
                                   std::vector<int64_t> axes) {
  if (!axes.empty())
    return resolveAxes(input, std::move(axes));
  axes.resize(input.tensor().rank());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Tensor tg::elementCount(Operand input, const std::vector<int64_t> &axes,
                        DType dtype) {
  Scope scope(input);
  Shape shape = input.tensor().shape();
  int64_t known = 1;
  Tensor count;
  for (int64_t axis : axesOf(input, axes)) {
    if (shape[axis].isKnown())
      known *= shape[axis].value;
    else
      count = count.isDefined() ? count * extentOf(input, axis)
                                : extentOf(input, axis);
  }
  double number = static_cast<double>(known);
  if (!count.isDefined())
    return scalar(input.tensor().body(), number, dtype, input.where());
  return cast(known == 1 ? count : count * number, dtype);
}

Tensor tg::reduceMean(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  DType dtype = input.tensor().dtype();
  if (isFloat(dtype) || dtype == i64 || dtype == boolean) {
    Tensor sum = reduceSum(input, options);
    return sum / elementCount(input, options.axes, dtype);
  }
  // The mean is in the range of the element type, but the sum may overflow it.
  Tensor sum = reduceSum({cast(input, i64), input.where()}, options);
  return cast(sum / elementCount(input, options.axes, i64), dtype);
}

Tensor tg::reduceLogSumExp(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  Tensor greatest = reduceMax(input, {options.axes, true});
  greatest = stopGradient(select(isFinite(greatest), greatest, 0.0));
  Tensor sum = reduceSum(exp(input - greatest), options);
  return log(sum) +
         (options.keepDims ? greatest : reduceMax(greatest, options));
}

Moments tg::moments(Operand input, const ReduceOptions &options) {
  std::vector<Tensor> results =
      callAll("moments", {input}, attributesOf(input, options));
  return {results[0], results[1]};
}

Tensor tg::standardDeviation(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  return sqrt(moments(input, options).variance);
}

Tensor tg::argMax(Operand input, const ArgOptions &options) {
  std::vector<Attribute> attributes = {
      {"axis", resolveAxis(input, options.axis)}};
  if (options.keepDims)
    attributes.push_back({"keep_dims", Attribute::Flag()});
  return call("argmax", {input}, attributes);
}

Tensor tg::argMin(Operand input, const ArgOptions &options) {
  Scope scope(input);
  bool negates = isFloat(input.tensor().dtype());
  return argMax(negates ? -input : logicalNot(input), options);
}

Tensor tg::argMax(Operand input, int64_t axis) {
  return argMax(std::move(input), {.axis = axis});
}

Tensor tg::argMin(Operand input, int64_t axis) {
  return argMin(std::move(input), {.axis = axis});
}

Tensor tg::cumsum(Operand input, const CumsumOptions &options) {
  std::vector<Attribute> attributes = {
      {"axis", resolveAxis(input, options.axis)}};
  if (options.exclusive)
    attributes.push_back({"exclusive", Attribute::Flag()});
  if (options.reverse)
    attributes.push_back({"reverse", Attribute::Flag()});
  return call("cumsum", {input}, attributes);
}

/// Returns ones with the shape of an element along dimension 0.
static Tensor onesLikeRow(const Tensor &rows) {
  std::vector<int64_t> shape = extentList(rows);
  std::vector<Operand> operands = {
      scalar(rows.body(), 1, rows.dtype(), Place::current())};
  for (int64_t axis = 1; axis < rows.rank(); ++axis)
    if (shape[axis] == -1)
      operands.push_back(extentOf(rows, axis));
  shape.erase(shape.begin());
  return call("broadcast_to", operands, {{"shape", shape}});
}

/// Builds a loop over the axis. Its gradient consists of products and sums, and
/// so does not divide by elements, which may be 0.
Tensor tg::cumprod(Operand input, const CumprodOptions &options) {
  Scope scope(input);
  int64_t axis = resolveAxis(input, options.axis);
  Tensor rows = exchange(input, axis, 0);
  auto step = [&](Tensor product, Tensor row) {
    Tensor next = product * row;
    return std::array{next, options.exclusive ? product : next};
  };
  auto [last, products] = scan(step, {onesLikeRow(rows)}, {rows},
                               {.reverse = options.reverse}, input.where());
  return exchange(products, 0, axis);
}

TopK tg::topK(Operand input, int64_t k) {
  std::vector<Tensor> results = callAll("top_k", {input}, {{"k", k}});
  return {results[0], results[1]};
}

Tensor tg::l1(Operand input) {
  Scope scope(input);
  return reduceSum(abs(input));
}

Tensor tg::norm(Operand input, const NormOptions &options) {
  Scope scope(input);
  if (!isFloat(input.tensor().dtype()))
    raise("expected floats, found " + toString(input.tensor().dtype()),
          input.tensor().body(), input.where());
  ReduceOptions reduce{options.axes, options.keepDims};
  if (options.order == 1)
    return reduceSum(abs(input), reduce);
  if (std::isinf(options.order) && options.order > 0)
    return maximum(reduceMax(abs(input), reduce), 0.0); // also for no elements
  if (options.order != 2)
    raise("expected an order of 1, 2 or infinity, found " +
              std::to_string(options.order),
          input.tensor().body(), input.where());
  Tensor sum = reduceSum(input * input, reduce);
  // Avoids the infinite gradient of the square root at 0. No gradient flows
  // through the constant 1.
  Tensor isZero = sum == 0.0;
  return select(isZero, 0.0, sqrt(select(isZero, 1.0, sum)));
}

Tensor tg::l2Loss(Operand input) {
  Scope scope(input);
  return 0.5 * reduceSum(input * input);
}

Tensor tg::l2Normalize(Operand input, int64_t axis) {
  Scope scope(input);
  Tensor length = reduceSum(input * input, {{axis}, true});
  return input / sqrt(maximum(length, 1e-12));
}

//===----------------------------------------------------------------------===//
// Random samples
//===----------------------------------------------------------------------===//

Tensor dsl::draw(const char *op, const Bodies &body,
                 const std::vector<int64_t> &shape,
                 const std::vector<Operand> &extents, DType dtype,
                 Place where) {
  std::vector<Operand> operands = {Operand(readSeed(body, where), where),
                                   Operand(readSample(body, where), where)};
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
  return draw(op, tensor.body(), extentList(tensor), unknownExtents(tensor),
              tensor.dtype(), like.where());
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
  Tensor drawn = draw("random_uniform", tensor.body(), shape, extents,
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
    raise("categorical: logits must be float, found " + toString(found) + " " +
              toString(logits.tensor().shape()),
          logits.tensor().body(), logits.where());
  return argMax(logits - log(-log(randomUniformLike(logits))));
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
    Tensor tensor = beside(channels, input);
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
