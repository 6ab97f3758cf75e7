//===- Normalization.cpp - layers that bring values to a common scale -----===//
#include "tg/nn/Normalization.h"
#include "tg/error.h"

#include <algorithm>
#include <numeric>

using namespace tg;

void BatchNormalization::build(const TensorType &input) {
  if (input.rank() < 2)
    throw GraphError("expected an input of rank 2 or more, found " +
                         toString(input.shape),
                     where);
  if (!(options.momentum >= 0 && options.momentum <= 1))
    throw GraphError("expected a momentum in [0, 1], found " +
                         std::to_string(options.momentum),
                     where);
  if (!(options.epsilon >= 0))
    throw GraphError("expected an epsilon of at least 0, found " +
                         std::to_string(options.epsilon),
                     where);
  Shape channels = {input.dim(options.axis, where)};
  LayerVariableOptions trained = {.dtype = input.dtype, .isWeight = false};
  LayerVariableOptions moved = {.trainable = false, .dtype = input.dtype};
  if (options.scale)
    gamma = variable("gamma", channels, options.gammaInitializer, trained);
  if (options.center)
    beta = variable("beta", channels, options.betaInitializer, trained);
  movingMean =
      variable("moving_mean", channels, options.meanInitializer, moved);
  movingVariance =
      variable("moving_variance", channels, options.varianceInitializer, moved);
}

Tensor BatchNormalization::normalize(const Tensor &input,
                                     const Moments &moments) {
  return batchNorm(input, moments,
                   gamma.isDefined() ? Tensor(gamma) : onesLike(moments.mean),
                   beta.isDefined() ? Tensor(beta) : zerosLike(moments.mean),
                   {.axis = options.axis, .epsilon = options.epsilon});
}

Tensor BatchNormalization::train(Tensor input) {
  int64_t channels =
      options.axis < 0 ? options.axis + input.rank() : options.axis;
  std::vector<int64_t> others;
  for (int64_t axis = 0; axis < input.rank(); ++axis)
    if (axis != channels)
      others.push_back(axis);
  Moments batch = moments(input, {.axes = others});
  double kept = options.momentum;
  Tensor variance = batch.variance;
  if (input.rank() == 4) {
    Tensor count = elementCount(input, others, input.dtype());
    variance = variance * (count / maximum(count - 1.0, 1.0));
  }
  update(movingMean, movingMean * kept + batch.mean * (1 - kept));
  update(movingVariance, movingVariance * kept + variance * (1 - kept));
  return normalize(input, batch);
}

Tensor BatchNormalization::test(Tensor input) {
  return normalize(input, {movingMean, movingVariance});
}

Tensor ExampleNormalization::affine(Tensor normalized,
                                    std::vector<int64_t> axes) {
  TensorType type = normalized.type();
  Shape shape;
  std::vector<int64_t> beside(type.rank(), 1);
  for (int64_t &axis : axes) {
    axis += axis < 0 ? type.rank() : 0;
    beside.at(axis) = type.dim(axis, where);
  }
  for (int64_t axis = 0; axis < type.rank(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      shape.push_back(beside[axis]);
  LayerVariableOptions options = {.dtype = type.dtype, .isWeight = false};
  if (scale)
    normalized *= reshape(variable("gamma", shape, ones(), options), beside);
  if (center)
    normalized += reshape(variable("beta", shape, zeros(), options), beside);
  return normalized;
}

/// (x - mean) / sqrt(variance + epsilon) with the moments of some axes.
static Tensor standardize(Tensor input, std::vector<int64_t> axes,
                          double epsilon) {
  Moments own = moments(input, {std::move(axes), /*keepDims=*/true});
  return (input - own.mean) / sqrt(own.variance + epsilon);
}

Tensor LayerNormalization::train(Tensor input) {
  for (int64_t axis : options.axes)
    input.dim(axis, where); // throws
  return affine(standardize(input, options.axes, options.epsilon),
                options.axes);
}

/// The axes between examples and channels.
static std::vector<int64_t> placesOf(const Tensor &input,
                                     std::source_location where) {
  if (input.rank() < 2)
    throw GraphError("expected an input [n, ..., c], found " +
                         toString(input.shape()),
                     where);
  std::vector<int64_t> places(input.rank() - 2);
  std::iota(places.begin(), places.end(), 1);
  return places;
}

Tensor InstanceNormalization::train(Tensor input) {
  std::vector<int64_t> places = placesOf(input, where);
  if (places.empty())
    throw GraphError("expected places of which a channel has moments, [n, ..., "
                     "c], found " +
                         toString(input.shape()),
                     where);
  return affine(standardize(input, places, options.epsilon), {-1});
}

/// [n, ..., c] as [n, ..., groups, c / groups] and back.
Tensor GroupNormalization::train(Tensor input) {
  std::vector<int64_t> together = placesOf(input, where);
  int64_t channels = input.dim(-1, where);
  if (options.groups < 1 || channels % options.groups != 0)
    throw GraphError("expected a number of groups that divides the number of "
                     "channels (" +
                         std::to_string(channels) + "), found " +
                         std::to_string(options.groups),
                     where);
  together.push_back(input.rank());
  Tensor parts =
      unflatten(input, -1, {options.groups, channels / options.groups});
  Tensor normalized = standardize(parts, together, options.epsilon);
  return affine(flatten(normalized, -2), {-1});
}

Tensor RmsNormalization::train(Tensor input) {
  Tensor square = reduceMean(input * input, {.axes = {-1}, .keepDims = true});
  return affine(input / sqrt(square + options.epsilon), {-1});
}

Tensor L2Normalize::train(Tensor input) {
  return l2Normalize(input, options.axis);
}
