//===- UNet.cpp - an encoder and decoder of images ------------------------===//
#include "NetworkParts.h"
#include "Networks.h"
#include <cmath>

using namespace tg;
using namespace tg::bench;

static std::vector<Layer> pairOf(int64_t filters) {
  return {normalized(filters, {3}, relu), normalized(filters, {3}, relu)};
}

/// Returns a transposed convolution that doubles height and width, for an input
/// of twice as many channels.
static Layer up(int64_t filters) {
  double bound = 1 / std::sqrt(4.0 * double(filters));
  return Conv2DTranspose(
      {.filters = filters,
       .kernelSize = {2},
       .strides = {2},
       .padding = Padding::same,
       .weightInitializer = uniform({.low = -bound, .high = bound})});
}

namespace {

class UNet : public BaseModel {
public:
  UNet() {
    StartNode start;
    std::vector<HiddenNode> levels = {HiddenNode({start}, pairOf(32))};
    for (int64_t filters : {64, 128, 256, 512}) {
      std::vector<Layer> layers = pairOf(filters);
      layers.insert(layers.begin(), MaxPooling({.strides = {2}}));
      levels.push_back(HiddenNode({levels.back()}, layers));
    }
    HiddenNode value = levels.back();
    for (int level = 3; level >= 0; --level) {
      int64_t filters = 32 << level;
      HiddenNode raised({value}, {up(filters)});
      value = HiddenNode({levels[level], raised}, Concat({.axis = -1}),
                         pairOf(filters));
    }
    HiddenNode head({value}, {Conv2D({.filters = 1,
                                      .kernelSize = {1},
                                      .weightInitializer = heNormal()}),
                              Sigmoid()});
    define({start}, {EndNode({head})});
  }
};

} // namespace

Layer tg::bench::uNet() { return UNet(); }
