//===- ResNet.cpp - residual networks -------------------------------------===//
#include "tg/models/ResNet.h"
#include "ModelParts.h"

using namespace tg;

//===-- Blocks ------------------------------------------------------------===//

ShortCutBlock::ShortCutBlock(ShortCutBlockOptions options,
                             std::source_location where)
    : BaseModel(where, options.name) {
  for (int64_t filters : options.filters)
    expectPositive(filters, "filter", options.name, where);
  ConvolutionWindows strided{{1}, options.strides, Padding::valid};
  StartNode start;
  HiddenNode body({start}, {convolved(options.filters[0], strided),
                            convolved(options.filters[1], {options.kernelSize}),
                            convolved(options.filters[2], {.size = {1}})});
  HiddenNode shortcut({start}, {convolved(options.filters[2], strided)});
  HiddenNode sum({body, shortcut}, Sum());
  define({start}, {EndNode({sum})}, where);
}

IdentityBlock::IdentityBlock(IdentityBlockOptions chosen,
                             std::source_location place)
    : BaseLayer(place, chosen.name), options(std::move(chosen)), where(place),
      steps(std::make_shared<std::vector<Layer>>()) {
  expectPositive(options.layers, "layer", options.name, where);
  for (int64_t filters : options.filters)
    expectPositive(filters, "filter", options.name, where);
}

Tensor IdentityBlock::train(Tensor input) {
  int64_t channels = input.dim(-1, where);
  if (steps->empty())
    for (int64_t i = 0; i < options.layers; ++i)
      steps->push_back(Sequential({convolved(options.filters[0], {.size = {1}}),
                                   convolved(options.filters[1], {}),
                                   convolved(channels, {.size = {1}})}));
  for (const Layer &step : *steps)
    input = step(input) + input;
  return input;
}

//===-- Networks ----------------------------------------------------------===//

/// Returns the first layers, which reduce the extents to a quarter.
static std::vector<Layer> stem() {
  return {convolved(64, {.size = {7}, .strides = {2}}),
          MaxPooling({.window = {3, 3}, .strides = {2}})};
}

/// Adds a stage whose blocks have inner convolutions of `width` channels.
static void addStage(std::vector<Layer> &layers, int64_t width, int64_t filters,
                     int64_t stride, int64_t identities) {
  layers.push_back(
      ShortCutBlock({.filters = {width, width, filters}, .strides = {stride}}));
  layers.push_back(
      IdentityBlock({.layers = identities, .filters = {width, width}}));
}

ResNetBase::ResNetBase(ResNetOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  for (int64_t count : options.layers)
    expectPositive(count, "identity layer", options.name, where);
  std::vector<Layer> layers = stem();
  for (size_t stage = 0; stage < 4; ++stage) {
    int64_t width = int64_t(64) << stage;
    addStage(layers, width, 4 * width, stage == 0 ? 1 : 2,
             options.layers[stage]);
  }
  StartNode start;
  HiddenNode body({start}, layers);
  define({start}, {EndNode({body})}, where);
}

ResNetSmall::ResNetSmall(ResNetSmallOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  for (int64_t count : options.layers)
    expectPositive(count, "identity layer", options.name, where);
  std::vector<Layer> layers = stem();
  addStage(layers, 64, 128, 1, options.layers[0]);
  addStage(layers, 128, 128, 2, options.layers[1]);
  StartNode start;
  HiddenNode body({start}, layers);
  define({start}, {EndNode({body})}, where);
}
