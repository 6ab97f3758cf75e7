//===- UNet.cpp - down to few places and back up --------------------------===//
#include "tg/models/UNet.h"
#include "Parts.h"
#include "tg/error.h"

using namespace tg;

static void addConvolution(std::vector<Layer> &layers, int64_t filters) {
  layers.push_back(Conv2D({.filters = filters, .padding = Padding::same}));
  layers.push_back(Elu());
  layers.push_back(BatchNormalization());
}

static std::vector<Layer> twice(int64_t filters,
                                std::vector<Layer> layers = {}) {
  addConvolution(layers, filters);
  addConvolution(layers, filters);
  return layers;
}

/// Twice the places.
static void addRaise(std::vector<Layer> &layers, int64_t filters) {
  layers.push_back(Conv2DTranspose({.filters = filters,
                                    .kernelSize = {2},
                                    .strides = {2},
                                    .padding = Padding::same}));
  layers.push_back(Elu());
  layers.push_back(BatchNormalization());
}

UNet::UNet(LayerOptions options, std::source_location place)
    : BaseModel(place, options.name), name(std::move(options.name)),
      where(place) {
  StartNode start;
  std::vector<HiddenNode> levels = {HiddenNode({start}, twice(64))};
  for (int64_t filters : {128, 256, 512, 1024}) {
    std::vector<Layer> layers = twice(filters, {MaxPooling({.strides = {2}})});
    if (filters == 1024)
      addRaise(layers, filters);
    levels.push_back(HiddenNode({levels.back()}, layers));
  }
  HiddenNode value = levels.back();
  for (size_t level = 3; level > 0; --level) {
    int64_t filters = int64_t(32) << level;
    std::vector<Layer> layers = twice(filters);
    addRaise(layers, filters);
    value = HiddenNode({value, levels[level]}, Concat({.axis = -1}), layers);
  }
  std::vector<Layer> last;
  addConvolution(last, 32);
  addConvolution(last, 16);
  HiddenNode head({value, levels[0]}, Concat({.axis = -1}), last);
  define({start}, {EndNode({head})}, where);
}

std::vector<Tensor> UNet::link(std::vector<Tensor> inputs, Mode mode) {
  for (const Tensor &input : inputs) {
    Shape shape = input.shape(where);
    bool fits = shape.size() == 4;
    for (size_t axis = 1; fits && axis < 3; ++axis)
      fits = shape[axis].isKnown() && shape[axis].value % 16 == 0;
    std::string layer = name.empty() ? "" : "'" + name + "': ";
    if (!fits)
      throw GraphError(layer +
                           "expected images [n, h, w, c] with h and w that "
                           "16 divides, found " +
                           toString(shape),
                       where);
  }
  return BaseModel::link(std::move(inputs), mode);
}
