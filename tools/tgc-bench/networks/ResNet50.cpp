//===- ResNet50.cpp - bottleneck residual blocks --------------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

namespace {

/// The residual block relu(f(x) + x), where f is a 1x1, a 3x3 and a 1x1
/// convolution. If f(x) has another shape than x, a 1x1 convolution projects x
/// to it.
class Bottleneck : public BaseModel {
public:
  Bottleneck(int64_t width, int64_t stride, bool projects) {
    StartNode start;
    HiddenNode body({start}, {normalized(width, {}, relu),
                              normalized(width, {3, stride}, relu),
                              normalized(4 * width, {})});
    HiddenNode shortcut({start});
    if (projects)
      shortcut = HiddenNode({start}, {normalized(4 * width, {1, stride})});
    define({start}, {EndNode({HiddenNode({body, shortcut}, Sum(), {Relu()})})});
  }
};

} // namespace

Layer tg::bench::resNet50() {
  Sequential network({normalized(64, {7, 2}, relu), stridedMaxPooling()});
  auto addStage = [&](int64_t width, int bottlenecks, int64_t stride) {
    network.add(Bottleneck(width, stride, /*projects=*/true));
    for (int i = 1; i < bottlenecks; ++i)
      network.add(Bottleneck(width, 1, /*projects=*/false));
  };
  addStage(64, 3, 1);
  addStage(128, 4, 2);
  addStage(256, 6, 2);
  addStage(512, 3, 2);
  network.add(globalAverage());
  network.add(classifierHead(2048));
  return network;
}
