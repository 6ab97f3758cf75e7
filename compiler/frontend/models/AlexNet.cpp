//===- AlexNet.cpp - five convolutions and three linear layers ------------===//
#include "tg/models/AlexNet.h"
#include "ModelParts.h"

using namespace tg;

static Layer rectified(int64_t filters, int64_t size, int64_t groups,
                       int64_t stride = 1) {
  ConvolutionOptions options = convolutionOf(
      filters, {.size = {size},
                .strides = {stride},
                .padding = stride == 1 ? Padding::same : Padding::valid});
  options.groups = groups;
  options.activation = relu;
  options.weightInitializer = heNormal();
  return Conv2D(options);
}

static Layer linear(int64_t units, Activation activation = {}) {
  return Linear({.units = units,
                 .activation = std::move(activation),
                 .weightInitializer = heNormal()});
}

AlexNet::AlexNet(AlexNetOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.classes, "class", options.name, where);
  LRN normalized({.radius = 2, .bias = 2, .alpha = 1e-4, .beta = 0.75});
  MaxPooling halved({.window = {3, 3}, .strides = {2}});
  StartNode start;
  HiddenNode features(
      {start}, {checked({.minimums = {67, 67}}, options.name, where),
                rectified(96, 11, 1, 4), normalized, halved,
                rectified(256, 5, 2), normalized, halved, rectified(384, 3, 1),
                rectified(384, 3, 2), rectified(256, 3, 2), halved});
  HiddenNode classes({features},
                     {Flatten(), Dropout({.rate = options.rate}),
                      linear(4096, relu), Dropout({.rate = options.rate}),
                      linear(4096, relu), linear(options.classes)});
  define({start}, {EndNode({classes})}, where);
}
