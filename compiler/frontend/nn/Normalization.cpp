//===- Normalization.cpp - normalization layers ---------------------------===//
#include "tg/nn/Normalization.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/graph/Elements.h"
#include "tg/graph/program.h"
#include "tg/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tg;

/// Throws GraphError if a bound is a tensor other than a scalar of floats.
static void checkBound(const char *name, const Operand &bound,
                       std::source_location where) {
  if (bound.isNumber())
    return;
  const TensorType type = bound.tensor().type();
  if (type.rank() != 0 || !dsl::isFloat(type.dtype))
    throw GraphError("expected " + std::string(name) +
                         " to be a scalar of floats, found " +
                         toString(type.dtype) + " " + toString(type.shape),
                     where);
}

static void checkRenorm(const RenormOptions &options,
                        std::source_location where) {
  checkBound("rmin", options.rmin, where);
  checkBound("rmax", options.rmax, where);
  checkBound("dmax", options.dmax, where);
  bool areNumbers = options.rmin.isNumber() && options.rmax.isNumber();
  if (areNumbers && !(options.rmin.number() >= 0 &&
                      options.rmin.number() <= options.rmax.number()))
    throw GraphError("expected 0 <= rmin <= rmax, found " +
                         dsl::textOf(options.rmin.number()) + " and " +
                         dsl::textOf(options.rmax.number()),
                     where);
  if (options.dmax.isNumber() && !(options.dmax.number() >= 0))
    throw GraphError("expected a dmax of at least 0, found " +
                         dsl::textOf(options.dmax.number()),
                     where);
  if (!(options.momentum >= 0 && options.momentum <= 1))
    throw GraphError(
        "expected a momentum of renormalization in [0, 1], found " +
            dsl::textOf(options.momentum),
        where);
}

RenormOptions tg::renormSchedule(Program &program,
                                 const RenormScheduleOptions &options,
                                 std::source_location where) {
  if (options.begin < 0 || options.rEnd <= options.begin ||
      options.dEnd <= options.begin || !(options.rmax >= 1) ||
      !(options.dmax >= 0))
    throw GraphError(
        "expected 0 <= begin < rEnd and dEnd, an rmax of at least 1 and a dmax "
        "of at least 0, found " +
            std::to_string(options.begin) + ", " +
            std::to_string(options.rEnd) + ", " + std::to_string(options.dEnd) +
            ", " + std::to_string(options.rmax) + " and " +
            std::to_string(options.dmax),
        where);
  Tensor stepsSinceBegin = cast({program.step(where), where}, f64) -
                           static_cast<double>(options.begin);
  auto progressUntil = [&](int64_t end) {
    return clip(stepsSinceBegin / static_cast<double>(end - options.begin), 0.0,
                1.0);
  };
  Tensor rmax = 1.0 + (options.rmax - 1) * progressUntil(options.rEnd);
  return {.rmin = 1.0 / rmax,
          .rmax = rmax,
          .dmax = options.dmax * progressUntil(options.dEnd),
          .momentum = options.momentum};
}

void BatchNormalization::build(const TensorType &input) {
  if (input.rank() < 2)
    throw GraphError("expected an input of rank 2 or more, found " +
                         toString(input.shape),
                     where);
  if (!(options.momentum >= 0 && options.momentum <= 1))
    throw GraphError("expected a momentum in [0, 1], found " +
                         dsl::textOf(options.momentum),
                     where);
  if (options.virtualBatchSize < 0)
    throw GraphError("expected a virtual batch of at least 0, found " +
                         std::to_string(options.virtualBatchSize),
                     where);
  if (options.renorm)
    checkRenorm(*options.renorm, where);
  Shape channels = {input.dim(options.axis, where)};
  LayerVariableOptions trained = {.dtype = input.dtype, .isWeight = false};
  LayerVariableOptions moved = {.trainable = false, .dtype = input.dtype};
  trained.variable = options.gammaVariable;
  if (options.scale)
    gamma = variable("gamma", channels, options.gammaInitializer, trained);
  trained.variable = options.betaVariable;
  if (options.center)
    beta = variable("beta", channels, options.betaInitializer, trained);
  movingMean =
      variable("moving_mean", channels, options.meanInitializer, moved);
  movingVariance =
      variable("moving_variance", channels, options.varianceInitializer, moved);
  if (!options.renorm)
    return;
  renormMean =
      variable("renorm_mean", channels, options.meanInitializer, moved);
  renormDeviation = variable("renorm_deviation", channels, ones(), moved);
}

Tensor BatchNormalization::normalize(const Tensor &input,
                                     const Moments &moments,
                                     const Factors &factors) {
  Tensor scale = gamma.isDefined() ? Tensor(gamma) : onesLike(moments.mean);
  Tensor shift = beta.isDefined() ? Tensor(beta) : zerosLike(moments.mean);
  if (factors.d.isDefined()) {
    shift = scale * factors.d + shift;
    scale = scale * factors.r;
  }
  return batchNorm(input, moments, scale, shift,
                   {.axis = options.axis, .epsilon = options.epsilon});
}

int64_t BatchNormalization::axisOf(const Tensor &input) const {
  return options.axis < 0 ? options.axis + input.rank() : options.axis;
}

/// Returns all axes of a tensor except the given one.
static std::vector<int64_t> axesExcept(const Tensor &input, int64_t axis) {
  std::vector<int64_t> others;
  for (int64_t other = 0; other < input.rank(); ++other)
    if (other != axis)
      others.push_back(other);
  return others;
}

/// Updates the moving averages with the moments of a batch. `axis` is the
/// channel axis of the input.
void BatchNormalization::move(const Tensor &input, const Moments &batch,
                              int64_t axis) {
  double momentum = options.momentum;
  Tensor variance = batch.variance;
  if (options.fused.value_or(input.rank() == 4)) {
    Tensor count = elementCount(input, axesExcept(input, axis), input.dtype());
    variance = variance * (count / maximum(count - 1.0, 1.0));
  }
  update(movingMean, movingMean * momentum + batch.mean * (1 - momentum));
  update(movingVariance, movingVariance * momentum + variance * (1 - momentum));
}

/// Returns the factors r and d between batch moments and moving averages, in
/// the shape of the moments.
BatchNormalization::Factors
BatchNormalization::factorsOf(const Moments &batch, const Tensor &mean,
                              const Tensor &deviation) const {
  const RenormOptions &limits = *options.renorm;
  Tensor own = sqrt(batch.variance + options.epsilon);
  auto bound = [&](const Operand &limit, double sign) {
    return limit.isNumber() ? Operand(sign * limit.number())
                            : Operand(sign * cast(limit, own.dtype()));
  };
  Tensor r =
      clip(own / deviation, bound(limits.rmin, 1), bound(limits.rmax, 1));
  Tensor d = clip((batch.mean - mean) / deviation, bound(limits.dmax, -1),
                  bound(limits.dmax, 1));
  return {stopGradient(r), stopGradient(d)};
}

/// Updates the moving averages of renormalization.
void BatchNormalization::moveRenorm(const Moments &batch) {
  double momentum = options.renorm->momentum;
  Tensor deviation = sqrt(batch.variance + options.epsilon);
  update(renormMean, renormMean * momentum + batch.mean * (1 - momentum));
  update(renormDeviation,
         renormDeviation * momentum + deviation * (1 - momentum));
}

/// Reshapes [n, ...] to [n / rows, rows, ...].
static Tensor splitExamples(const Tensor &input, int64_t rows,
                            std::source_location where) {
  const Extent batch = input.shape()[0];
  if (batch.isKnown() && batch.value % rows != 0)
    throw GraphError("expected a virtual batch that divides the batch of " +
                         toString(input.shape()) + ", found " +
                         std::to_string(rows),
                     where);
  std::vector<int64_t> shape = {batch.isKnown() ? batch.value / rows : -1,
                                rows};
  for (int64_t axis = 1; axis < input.rank(); ++axis)
    shape.push_back(input.dim(axis, where));
  return reshape(input, shape);
}

/// Normalizes each virtual batch by its own moments. The moments of the first
/// virtual batch update the moving averages.
Tensor BatchNormalization::normalizeParts(const Tensor &input, int64_t axis) {
  if (axis == 0)
    throw GraphError("expected examples along dim 0 of a virtual batch, found "
                     "channels",
                     where);
  Tensor batches = splitExamples(input, options.virtualBatchSize, where);
  std::vector<int64_t> within = axesExcept(batches, axis + 1);
  within.erase(within.begin());
  Moments own = moments(batches, {within, /*keepDims=*/true});
  std::vector<int64_t> channels = {input.dim(axis, where)};
  Moments first = {reshape(own.mean[0], channels),
                   reshape(own.variance[0], channels)};
  move(batches[0], first, axis);
  channels.resize(input.rank() - axis, 1);
  Tensor scale = reciprocal(sqrt(own.variance + options.epsilon));
  Tensor result = (batches - own.mean) * scale;
  if (options.renorm) {
    Factors factors = factorsOf(own, reshape(renormMean, channels),
                                reshape(renormDeviation, channels));
    moveRenorm(first);
    result = result * factors.r + factors.d;
  }
  result = flatten(result, 0, 1);
  if (gamma.isDefined())
    result = result * reshape(gamma, channels);
  return beta.isDefined() ? result + reshape(beta, channels) : result;
}

Tensor BatchNormalization::train(Tensor input) {
  if (options.frozen)
    return BatchNormalization::test(std::move(input));
  int64_t axis = axisOf(input);
  if (options.virtualBatchSize > 0)
    return normalizeParts(input, axis);
  Moments batch = moments(input, {.axes = axesExcept(input, axis)});
  move(input, batch, axis);
  if (!options.renorm)
    return normalize(input, batch, {});
  moveRenorm(batch);
  return normalize(input, batch, factorsOf(batch, renormMean, renormDeviation));
}

Tensor BatchNormalization::test(Tensor input) {
  return normalize(input, {movingMean, movingVariance}, {});
}

BatchRenorm::BatchRenorm(BatchRenormOptions options, std::source_location place)
    : BatchNormalization(
          {.axis = options.axis,
           .momentum = options.momentum,
           .epsilon = options.epsilon,
           .center = options.center,
           .scale = options.scale,
           .gammaInitializer = std::move(options.gammaInitializer),
           .renorm = RenormOptions{.rmin = 1 / options.rmax,
                                   .rmax = options.rmax,
                                   .dmax = options.dmax},
           .variables = std::move(options.variables),
           .name = std::move(options.name)},
          place) {
  if (!(options.rmax >= 1))
    throw GraphError("expected an rmax of at least 1, found " +
                         dsl::textOf(options.rmax),
                     place);
}

Tensor BNReLU::train(Tensor input) {
  return relu(BatchNormalization::train(std::move(input)));
}
Tensor BNReLU::test(Tensor input) {
  return relu(BatchNormalization::test(std::move(input)));
}

Tensor LRN::train(Tensor input) { return localResponseNorm(input, options); }

Tensor ExampleNormalization::affine(Tensor normalized,
                                    std::vector<int64_t> axes) {
  TensorType type = normalized.type();
  Shape shape;
  std::vector<int64_t> broadcastShape(type.rank(), 1);
  for (int64_t &axis : axes) {
    axis += axis < 0 ? type.rank() : 0;
    broadcastShape.at(axis) = type.dim(axis, where);
  }
  for (int64_t axis = 0; axis < type.rank(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      shape.push_back(broadcastShape[axis]);
  LayerVariableOptions options = {.dtype = type.dtype, .isWeight = false};
  if (scale)
    normalized *= reshape(variable("gamma", shape, gammaInitializer, options),
                          broadcastShape);
  if (center)
    normalized +=
        reshape(variable("beta", shape, zeros(), options), broadcastShape);
  return normalized;
}

static void checkEpsilon(double epsilon, std::source_location where) {
  if (!(epsilon > 0 && std::isfinite(epsilon)))
    throw GraphError(
        "expected an epsilon above 0, found " + dsl::textOf(epsilon), where);
}

/// Computes (x - mean) / sqrt(variance + epsilon) with the moments over some
/// axes.
static Tensor standardize(Tensor input, std::vector<int64_t> axes,
                          double epsilon, std::source_location where) {
  checkEpsilon(epsilon, where);
  Moments own = moments(input, {std::move(axes), /*keepDims=*/true});
  return (input - own.mean) / sqrt(own.variance + epsilon);
}

Tensor LayerNormalization::train(Tensor input) {
  for (int64_t axis : options.axes)
    input.dim(axis, where); // throws if the extent is dynamic
  return affine(standardize(input, options.axes, options.epsilon, where),
                options.axes);
}

/// Returns the axes between the example axis and the channel axis.
static std::vector<int64_t> spatialAxesOf(const Tensor &input,
                                          std::source_location where) {
  if (input.rank() < 2)
    throw GraphError("expected an input [n, ..., c], found " +
                         toString(input.shape()),
                     where);
  std::vector<int64_t> axes(input.rank() - 2);
  std::iota(axes.begin(), axes.end(), 1);
  return axes;
}

Tensor InstanceNormalization::train(Tensor input) {
  std::vector<int64_t> axes = spatialAxesOf(input, where);
  if (axes.empty())
    throw GraphError("expected an input [n, ..., c] with at least one spatial "
                     "dimension, found " +
                         toString(input.shape()),
                     where);
  return affine(standardize(input, axes, options.epsilon, where), {-1});
}

/// Splits the channels, [n, ..., c] to [n, ..., groups, c / groups], and merges
/// them again.
Tensor GroupNormalization::train(Tensor input) {
  std::vector<int64_t> axes = spatialAxesOf(input, where);
  int64_t channels = input.dim(-1, where);
  if (options.groups < 1 || channels % options.groups != 0)
    throw GraphError("expected a number of groups that divides the number of "
                     "channels (" +
                         std::to_string(channels) + "), found " +
                         std::to_string(options.groups),
                     where);
  axes.push_back(input.rank());
  Tensor groups =
      unflatten(input, -1, {options.groups, channels / options.groups});
  Tensor normalized = standardize(groups, axes, options.epsilon, where);
  return affine(flatten(normalized, -2), {-1});
}

Tensor RmsNormalization::train(Tensor input) {
  checkEpsilon(options.epsilon, where);
  Tensor square = reduceMean(input * input, {.axes = {-1}, .keepDims = true});
  return affine(input / sqrt(square + options.epsilon), {-1});
}

Tensor L2Normalize::train(Tensor input) {
  return l2Normalize(input, options.axis);
}
