//===- Layers.cpp - layers with weights, pooling and activations ----------===//
#include "compiler/frontend/symbolic/Layers.h"
#include "compiler/frontend/symbolic/Fields.h"
#include "compiler/frontend/symbolic/LayerCall.h"
#include "tg/nn/Layers.h"
#include "tg/tensor/windows.h"

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

/// Returns the numbers, or a single 1 if none are given.
static std::vector<int64_t> numbersOf(const Sizes &sizes) {
  return sizes.numbers.empty() ? std::vector<int64_t>{1} : sizes.numbers;
}

//===----------------------------------------------------------------------===//
// Weights and biases
//===----------------------------------------------------------------------===//

/// Sets the options that all layers of tg/nn with a weight have in common.
static void setWeights(auto &layer, auto &kernel, const auto &options,
                       LayerCall &call) {
  layer.useBias = options.useBias.value_or(true);
  kernel = options.kernelInitializer.value_or(heNormal());
  layer.biasInitializer = options.biasInitializer.value_or(zeros());
  call.regularizers["W"] = options.kernelRegularizer.value_or(Regularizer());
  call.regularizers["b"] = options.biasRegularizer.value_or(Regularizer());
}

/// Applies the activation, adds the activity penalty to the penalties of the
/// open tower, and returns the output with its variables.
static LayerOutput finish(Tensor output, const auto &options, LayerCall &call) {
  if (options.activation && *options.activation)
    output = (*options.activation)(output);
  if (options.activityRegularizer && *options.activityRegularizer) {
    const TowerContext *tower = currentTowerContext();
    if (tower && tower->program().body() == output.body())
      Collections::of(output.body())
          .penalties.push_back((*options.activityRegularizer)(output));
  }
  return {output, std::move(call.variables)};
}

LayerOutput symbolic::conv2D(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<Conv2DOptions>(arguments);
  LayerCall call(input, arguments);
  ConvolutionOptions layer{.filters = arguments.get<int64_t>("filters"),
                           .kernelSize =
                               arguments.get<Sizes>("kernel_size").numbers,
                           .strides = numbersOf(options.strides),
                           .dilations = numbersOf(options.dilationRate),
                           .padding = options.padding.value_or(Padding::same),
                           .groups = options.split.value_or(1)};
  setWeights(layer, layer.weightInitializer, options, call);
  Tensor output = call.run(tg::Conv2D(layer, arguments.where), input,
                           options.dataFormat.value_or(NHWC));
  return finish(output, options, call);
}

LayerOutput symbolic::conv2DTranspose(Tensor input,
                                      const Arguments &arguments) {
  auto options = optionsOf<Conv2DTransposeOptions>(arguments);
  LayerCall call(input, arguments);
  ConvolutionTransposeOptions layer{
      .filters = arguments.get<int64_t>("filters"),
      .kernelSize = arguments.get<Sizes>("kernel_size").numbers,
      .strides = numbersOf(options.strides),
      .padding = options.padding.value_or(Padding::same),
      .size = TransposedSize::keras};
  setWeights(layer, layer.weightInitializer, options, call);
  Tensor output = call.run(tg::Conv2DTranspose(layer, arguments.where), input,
                           options.dataFormat.value_or(NHWC));
  return finish(output, options, call);
}

LayerOutput symbolic::fullyConnected(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<FullyConnectedOptions>(arguments);
  LayerCall call(input, arguments);
  LinearOptions layer{.units = arguments.get<int64_t>("units")};
  setWeights(layer, layer.weightInitializer, options, call);
  Tensor rows = input.rank() == 2 ? input : flatten(input);
  return finish(call.run(Linear(layer, arguments.where), rows), options, call);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

template <typename Layer>
static LayerOutput pool(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<symbolic::PoolingOptions>(arguments);
  std::vector<int64_t> window = arguments.get<Sizes>("pool_size").numbers;
  if (window.size() == 1)
    window.push_back(window.front());
  tg::PoolingOptions layer{.window = window,
                           .strides = options.strides.numbers.empty()
                                          ? window
                                          : options.strides.numbers,
                           .padding = options.padding.value_or(Padding::valid)};
  LayerCall call(input, arguments);
  return call.run(Layer(layer, arguments.where), input,
                  options.dataFormat.value_or(NHWC));
}

LayerOutput symbolic::maxPooling(Tensor input, const Arguments &arguments) {
  return pool<tg::MaxPooling>(std::move(input), arguments);
}

LayerOutput symbolic::avgPooling(Tensor input, const Arguments &arguments) {
  return pool<tg::AvgPooling>(std::move(input), arguments);
}

LayerOutput symbolic::globalAvgPooling(Tensor input,
                                       const Arguments &arguments) {
  auto options = optionsOf<GlobalAvgPoolingOptions>(arguments);
  if (input.rank() != 4)
    throw GraphError("expected an input of rank 4, found " +
                         toString(input.shape()),
                     arguments.where);
  LayerCall call(input, arguments);
  return call.run(tg::GlobalAvgPooling({}, arguments.where), input,
                  options.dataFormat.value_or(NHWC));
}

LayerOutput symbolic::fixedUnPooling(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<FixedUnPoolingOptions>(arguments);
  std::vector<int64_t> shape = arguments.get<Sizes>("shape").numbers;
  if (shape.size() > 2)
    throw GraphError("expected a shape of 1 or 2 numbers, found " +
                         std::to_string(shape.size()),
                     arguments.where);
  LayerCall call(input, arguments);
  FixedUnpoolingOptions layer{.shape = {shape.front(), shape.back()},
                              .matrix = options.unpoolMat};
  return call.run(FixedUnpooling(layer, arguments.where), input,
                  options.dataFormat.value_or(NHWC));
}

//===----------------------------------------------------------------------===//
// Activations and dropout
//===----------------------------------------------------------------------===//

LayerOutput symbolic::maxout(Tensor input, const Arguments &arguments) {
  tg::MaxoutOptions layer{.pieces = arguments.get<int64_t>("num_unit")};
  LayerCall call(input, arguments);
  return call.run(tg::Maxout(layer, arguments.where), input);
}

LayerOutput symbolic::prelu(Tensor input, const Arguments &arguments) {
  PreluOptions layer{.slope = arguments.get<double>("init", 0.001)};
  LayerCall call(input, arguments);
  Tensor output = call.run(Prelu(layer, arguments.where), input);
  return {output, std::move(call.variables)};
}

LayerOutput symbolic::dropout(Tensor input, const Arguments &arguments) {
  auto options = optionsOf<symbolic::DropoutOptions>(arguments);
  Place where = arguments.where;
  if (options.keepProb && options.rate)
    throw GraphError("expected one of the arguments 'keep_prob' and 'rate' of "
                     "layer 'Dropout', found both",
                     where);
  if (!towerFor("Dropout", input.body(), where).isTraining())
    return input;
  Operand rate = options.rate.value_or(Operand(0.5));
  if (options.keepProb && options.keepProb->isNumber())
    rate = 1 - options.keepProb->number();
  else if (options.keepProb)
    rate = 1.0 - *options.keepProb;
  LayerCall call(input, arguments);
  return call.run(tg::Dropout({.rate = rate}, where), input);
}
