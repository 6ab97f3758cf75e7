//===- DenseNet.cpp - densely connected networks --------------------------===//
#include "tg/models/DenseNet.h"
#include "ModelParts.h"

using namespace tg;

DenseBlock::DenseBlock(DenseBlockOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.growthRate, "new channel", options.name, where);
  expectPositive(options.layers, "layer", options.name, where);
  StartNode start;
  Node all = denselyConnected(
      start, options.layers, [&] { return convolved(options.growthRate, {}); });
  define({start}, {EndNode({all})}, where);
}

TransitionLayer::TransitionLayer(TransitionLayerOptions options,
                                 std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.filters, "filter", options.name, where);
  StartNode start;
  HiddenNode body({start}, {convolved(options.filters, {.size = {1}}),
                            AvgPooling({.strides = {2}})});
  define({start}, {EndNode({body})}, where);
}

DenseNet::DenseNet(DenseNetOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.blocks, "dense block", options.name, where);
  expectPositive(options.growthRate, "new channel", options.name, where);
  expectPositive(options.layersPerBlock, "layer", options.name, where);
  DenseBlockOptions block{.growthRate = options.growthRate,
                          .layers = options.layersPerBlock};
  std::vector<Layer> layers = {convolved(16, {})};
  for (int64_t i = 0; i < options.blocks; ++i) {
    layers.push_back(DenseBlock(block));
    layers.push_back(TransitionLayer({.filters = 16}));
  }
  layers.push_back(DenseBlock(block));
  StartNode start;
  HiddenNode body({start}, layers);
  define({start}, {EndNode({body})}, where);
}

models::MyDenseNet::MyDenseNet(MyDenseNetOptions options,
                               std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.classes, "class", options.name, where);
  StartNode start;
  HiddenNode body(
      {start}, {checked({.minimums = {6, 6}}, options.name, where),
                DenseNet({.blocks = 1, .growthRate = 1, .layersPerBlock = 1}),
                MaxPooling({.window = {3, 3}}), Flatten(),
                Linear(linearOf(options.classes)), Softmax()});
  define({start}, {EndNode({body})}, where);
}
