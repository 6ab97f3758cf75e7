//===- HeteroNet.cpp - classification of several series of images ---------===//
#include "tg/models/HeteroNet.h"
#include "ModelParts.h"

using namespace tg;

/// Returns a convolution. If `isApart` is true, its windows do not overlap.
static Layer convolution(int64_t filters, std::vector<int64_t> size,
                         bool isApart = false) {
  ConvolutionWindows windows{.size = size};
  if (isApart)
    windows.strides = std::move(size);
  return Conv3D(glorotConvolution(filters, windows));
}

/// Returns two convolutions with batch normalization after the second one.
static Layer twice(int64_t filters, const std::vector<int64_t> &size) {
  return Sequential({convolution(filters, size), Relu(),
                     convolution(filters, size), BatchNormalization(), Relu()});
}

/// Returns max pooling that halves height and width, rounded up.
static Layer halve() {
  return MaxPooling3D(
      {.window = {1, 2, 2}, .strides = {1, 2, 2}, .padding = Padding::same});
}

models::HeteroNet::HeteroNet(LayerOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  std::vector<StartNode> starts(3);
  Layer encoder =
      Sequential({twice(32, {1, 5, 5}), halve(), twice(64, {1, 5, 5})});
  std::vector<Node> series;
  for (const StartNode &start : starts)
    series.push_back(HiddenNode({start}, {encoder}));
  HiddenNode features(series, Concat({.axis = -1}),
                      {convolution(64, {1}), halve(), twice(96, {2, 3, 3}),
                       halve(), twice(128, {3}), halve()});
  HiddenNode classes({features},
                     {convolution(500, {1, 20, 20}, true), Relu(),
                      convolution(125, {1}), Relu(),
                      convolution(75, {4, 1, 1}, true), Relu(),
                      convolution(30, {1}), Reshape({-1, 30}), Softmax()});
  define(starts, {EndNode({classes})}, where);
}
