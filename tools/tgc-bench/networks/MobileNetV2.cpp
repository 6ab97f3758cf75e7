//===- MobileNetV2.cpp - inverted residual blocks -------------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

namespace {

/// A block that expands the channels, applies a depthwise convolution and
/// projects back, and adds the input if the shape is unchanged.
class InvertedResidual : public BaseModel {
public:
  InvertedResidual(int64_t channels, int64_t filters, int64_t stride,
                   int64_t expansion) {
    int64_t width = channels * expansion;
    std::vector<Layer> layers;
    if (expansion > 1)
      layers.push_back(normalized(width, {}, relu6));
    layers.push_back(normalized(width, {3, stride, width}, relu6));
    layers.push_back(normalized(filters, {}));
    StartNode start;
    HiddenNode body({start}, layers);
    if (stride == 1 && channels == filters)
      define({start}, {EndNode({start, body}, Sum())});
    else
      define({start}, {EndNode({body})});
  }
};

/// Equal residual blocks, of which the first has the stride.
struct Stage {
  int64_t expansion, filters;
  int count;
  int64_t stride;
};

} // namespace

Layer tg::bench::mobileNetV2() {
  Sequential network;
  network.add(normalized(32, {3, 2}, relu6));
  int64_t channels = 32;
  for (const Stage &stage :
       {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2},
        Stage{6, 64, 4, 2}, Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2},
        Stage{6, 320, 1, 1}})
    for (int i = 0; i < stage.count; ++i) {
      network.add(InvertedResidual(channels, stage.filters,
                                   i == 0 ? stage.stride : 1, stage.expansion));
      channels = stage.filters;
    }
  network.add(normalized(1280, {}, relu6));
  network.add(globalAverage());
  network.add(classifierHead(1280));
  return network;
}
