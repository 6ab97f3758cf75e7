//===- Pooling.cpp - layers for pooling and resizing of images ------------===//
#include "tg/nn/Pooling.h"
#include "tg/tensor/error.h"

#include <numeric>

using namespace tg;

/// Returns the options of the pooling functions.
template <typename Options> static PoolOptions poolOf(const Options &options) {
  return {options.window, options.strides, options.dilations, options.padding};
}

template <typename Options>
static Tensor averageOf(const Tensor &input, const Options &options) {
  return avgPool(input, {options.window, options.strides, options.dilations,
                         options.padding, options.countPadding});
}

Tensor MaxPooling::train(Tensor input) {
  return maxPool(input, poolOf(options));
}
Tensor MaxPooling3D::train(Tensor input) {
  return maxPool(input, poolOf(options));
}
Tensor AvgPooling::train(Tensor input) { return averageOf(input, options); }
Tensor AvgPooling3D::train(Tensor input) { return averageOf(input, options); }

/// Throws GraphError unless there are `count` inputs.
static void expectInputs(const std::vector<Tensor> &inputs, size_t count,
                         const char *what, std::source_location where) {
  if (inputs.size() != count)
    throw GraphError(std::string("expected ") + what + ", found " +
                         std::to_string(inputs.size()) + " inputs",
                     where);
}

std::vector<Tensor> IndexedMaxPooling::link(std::vector<Tensor> inputs, Mode) {
  expectInputs(inputs, 1, "one input", where);
  IndexedPool pooled = maxPoolWithIndices(inputs[0], poolOf(options));
  return {pooled.values, pooled.indices};
}

std::vector<Tensor> MaxUnpooling::link(std::vector<Tensor> inputs, Mode) {
  expectInputs(inputs, 2, "values and indices", where);
  std::vector<Operand> sizes;
  for (int64_t size : options.sizes)
    sizes.emplace_back(static_cast<double>(size));
  return {maxUnpool(inputs[0], inputs[1], {poolOf(options), sizes})};
}

/// Returns the spatial axes. Throws GraphError if there are none.
static ReduceOptions spatialAxes(const Tensor &input,
                                 const GlobalPoolingOptions &options,
                                 std::source_location where) {
  if (input.rank() < 3)
    throw GraphError("expected an input [n, ..., c] with spatial dimensions, "
                     "found " +
                         toString(input.shape()),
                     where);
  std::vector<int64_t> axes(input.rank() - 2);
  std::iota(axes.begin(), axes.end(), 1);
  return {axes, options.keepDims};
}

Tensor GlobalMaxPooling::train(Tensor input) {
  return reduceMax(input, spatialAxes(input, options, where));
}

Tensor GlobalAvgPooling::train(Tensor input) {
  return reduceMean(input, spatialAxes(input, options, where));
}

Tensor FixedUnpooling::train(Tensor input) {
  return fixedUnpool(input, options);
}

Tensor UpSampling::train(Tensor input) { return upsample(input, options); }
Tensor SpaceToDepth::train(Tensor input) { return spaceToDepth(input, block); }
Tensor DepthToSpace::train(Tensor input) { return depthToSpace(input, block); }
