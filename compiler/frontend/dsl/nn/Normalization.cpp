//===- Normalization.cpp - layers that bring values to a common scale -----===//
#include "tg/nn/Normalization.h"
#include "tg/error.h"

using namespace tg;

void BatchNormalization::build(const TensorType &input) {
  if (input.rank() < 2)
    throw GraphError("expected an input of rank 2 or more, found " +
                         toString(input.shape),
                     where);
  Shape channels = {input.dim(options.axis, where)};
  LayerVariableOptions trained = {.trainable = true, .dtype = input.dtype};
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
  update(movingMean, movingMean * kept + batch.mean * (1 - kept));
  update(movingVariance, movingVariance * kept + batch.variance * (1 - kept));
  return normalize(input, batch);
}

Tensor BatchNormalization::test(Tensor input) {
  return normalize(input, {movingMean, movingVariance});
}

Tensor L2Normalize::train(Tensor input) {
  return l2Normalize(input, options.axis);
}
