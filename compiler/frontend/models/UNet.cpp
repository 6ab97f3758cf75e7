//===- UNet.cpp - encoders and decoders with skip connections -------------===//
#include "tg/models/UNet.h"
#include "ModelParts.h"

using namespace tg;

//===-- ELU before normalization ------------------------------------------===//

static void addConvolution(std::vector<Layer> &layers, int64_t filters) {
  layers.push_back(Conv2D(convolutionOf(filters, {})));
  layers.push_back(Elu());
  layers.push_back(BatchNormalization());
}

static std::vector<Layer> twice(int64_t filters,
                                std::vector<Layer> layers = {}) {
  addConvolution(layers, filters);
  addConvolution(layers, filters);
  return layers;
}

/// Appends the layers that double height and width.
static void addUpsampling(std::vector<Layer> &layers, int64_t filters) {
  layers.push_back(Conv2DTranspose({.filters = filters,
                                    .kernelSize = {2},
                                    .strides = {2},
                                    .padding = Padding::same,
                                    .weightInitializer = modelWeights()}));
  layers.push_back(Elu());
  layers.push_back(BatchNormalization());
}

/// Returns the features `level` of an encoder level, multiplied by an attention
/// weight in (0, 1) per position. The weight is computed from `level` and from
/// `below`, the upsampled features of the next lower level.
static Node attended(const Node &below, const Node &level, int64_t filters) {
  auto project = [&](const Node &node) {
    return HiddenNode({node}, {Conv2D(convolutionOf(filters, {.size = {1}})),
                               BatchNormalization()});
  };
  HiddenNode weight({project(below), project(level)},
                    {Relu(), Conv2D(convolutionOf(1, {.size = {1}})),
                     BatchNormalization(), Sigmoid()});
  return HiddenNode({weight, level}, Multiply());
}

/// Returns the end node of a U-Net with five levels, from images to 16
/// channels. If `attends` is set, attention weights the encoder features,
/// except those of the first level.
static EndNode fiveLevels(const Node &images, bool attends) {
  std::vector<HiddenNode> levels = {HiddenNode({images}, twice(64))};
  for (int64_t filters : {128, 256, 512, 1024}) {
    std::vector<Layer> layers = twice(filters, {MaxPooling({.strides = {2}})});
    if (filters == 1024)
      addUpsampling(layers, filters);
    levels.push_back(HiddenNode({levels.back()}, layers));
  }
  Node value = levels.back();
  for (size_t level = 3; level > 0; --level) {
    int64_t filters = int64_t(32) << level;
    std::vector<Layer> layers = twice(filters);
    addUpsampling(layers, filters);
    if (attends)
      value = attended(value, levels[level], filters);
    value = HiddenNode({value, levels[level]}, Concat({.axis = -1}), layers);
  }
  std::vector<Layer> last;
  addConvolution(last, 32);
  addConvolution(last, 16);
  return EndNode({HiddenNode({value, levels[0]}, Concat({.axis = -1}), last)});
}

UNet::UNet(LayerOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  StartNode start;
  HiddenNode images({start},
                    {checked({.divisors = {16, 16}}, options.name, where)});
  define({start}, {fiveLevels(images, false)}, where);
}

models::AttentionUNet::AttentionUNet(LayerOptions options,
                                     std::source_location where)
    : BaseModel(where, options.name) {
  StartNode start;
  HiddenNode images({start},
                    {checked({.divisors = {16, 16}}, options.name, where)});
  define({start}, {fiveLevels(images, true)}, where);
}

//===-- Normalization before the activation -------------------------------===//

/// A function that returns the layers of a level with the given number of
/// filters.
using LayersOf = std::function<std::vector<Layer>(int64_t filters)>;

/// Builds the decoder, from the last level to the first. Each level doubles
/// height and width, appends the features of the encoder level, and applies
/// `layers`.
static Node buildDecoder(Node value, const std::vector<HiddenNode> &levels,
                         const std::vector<int64_t> &filters,
                         const LayersOf &layers) {
  for (size_t i = levels.size(); i-- > 0;) {
    HiddenNode upsampled(
        {value}, {Conv2DTranspose({.filters = filters[i],
                                   .strides = {2},
                                   .padding = Padding::same,
                                   .weightInitializer = modelWeights()})});
    value = HiddenNode({upsampled, levels[i]}, Concat({.axis = -1}),
                       layers(filters[i]));
  }
  return value;
}

models::Unet::Unet(UnetOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.classes, "class", options.name, where);
  LayersOf layers = [&](int64_t filters) {
    return std::vector<Layer>{convolved(filters, {}),
                              Dropout({.rate = options.rate}),
                              convolved(filters, {})};
  };
  StartNode start;
  Node value =
      HiddenNode({start}, {checked({.divisors = {8, 8}}, options.name, where)});
  std::vector<HiddenNode> levels;
  const std::vector<int64_t> filters = {32, 64, 128};
  for (int64_t count : filters) {
    levels.push_back(HiddenNode({value}, layers(count)));
    value = HiddenNode({levels.back()}, {MaxPooling({.strides = {2}})});
  }
  value = HiddenNode({value}, layers(256));
  HiddenNode head({buildDecoder(value, levels, filters, layers)},
                  {Conv2D(convolutionOf(options.classes, {.size = {1}}))});
  define({start}, {EndNode({head})}, where);
}

/// Returns a convolution with the given dilation.
static Layer dilated(int64_t filters, int64_t rate) {
  return convolved(filters, {.dilations = {rate}}, Elu());
}

models::DilatedUnet::DilatedUnet(DilatedUnetOptions options,
                                 std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.classes, "class", options.name, where);
  StartNode start;
  Node value = HiddenNode(
      {start}, {checked({.divisors = {16, 16}}, options.name, where)});
  std::vector<HiddenNode> levels;
  const std::vector<int64_t> filters = {64, 128, 256, 512};
  for (int64_t count : filters) {
    levels.push_back(
        HiddenNode({value}, {dilated(count, 1), dilated(count, 2)}));
    value = HiddenNode({levels.back()}, {MaxPooling({.strides = {2}})});
  }
  for (int64_t rate : {1, 2, 4, 8, 16})
    value = HiddenNode({value}, {dilated(512, rate)});
  value = buildDecoder(value, levels, filters, [](int64_t count) {
    return std::vector<Layer>{dilated(count, 1), dilated(count, 1)};
  });
  HiddenNode head(
      {value},
      {Conv2D(convolutionOf(options.classes, {.size = {1}})), Sigmoid()});
  define({start}, {EndNode({head})}, where);
}
