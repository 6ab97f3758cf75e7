//===- Vgg.cpp - networks of 3x3 convolutions -----------------------------===//
#include "tg/models/Vgg.h"
#include "ModelParts.h"

using namespace tg;

VGG::VGG(const std::vector<int> &convolutions, std::string name,
         std::source_location where)
    : BaseModel(where, std::move(name)) {
  std::vector<Layer> layers;
  int64_t filters = 64;
  for (int count : convolutions) {
    for (int i = 0; i < count; ++i)
      layers.push_back(convolved(filters, {}));
    layers.push_back(MaxPooling({.strides = {2}}));
    filters = std::min<int64_t>(2 * filters, 512);
  }
  StartNode start;
  HiddenNode body({start}, layers);
  define({start}, {EndNode({body})}, where);
}
