//===- DenseNet121.cpp - dense blocks -------------------------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

/// Returns normalization and ReLU followed by a convolution.
static Sequential normReluConvolution(int64_t filters, int64_t size) {
  return Sequential({normalization(), Relu(), convolution(filters, {size})});
}

namespace {

/// A layer that appends the channels of two convolutions to its input.
class DenseLayer : public BaseModel {
public:
  DenseLayer() {
    StartNode start;
    HiddenNode body({start},
                    {normReluConvolution(128, 1), normReluConvolution(32, 3)});
    define({start}, {EndNode({start, body}, Concat({.axis = -1}))});
  }
};

} // namespace

Layer tg::bench::denseNet121() {
  Sequential network({normalized(64, {7, 2}, relu), stridedMaxPooling()});
  int64_t channels = 64;
  auto addBlock = [&](int layers) {
    for (int i = 0; i < layers; ++i)
      network.add(DenseLayer());
    channels += 32 * layers;
  };
  for (int layers : {6, 12, 24}) {
    addBlock(layers);
    channels /= 2;
    network.add(normReluConvolution(channels, 1));
    network.add(AvgPooling({.strides = {2}}));
  }
  addBlock(16);
  network.add(normalization());
  network.add(Relu());
  network.add(globalAverage());
  network.add(classifierHead(channels));
  return network;
}
