//===- Vgg16Bn.cpp - thirteen convolutions of 3x3 -------------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

/// Returns a convolution with bias, like the original.
static Layer convolutionWithBias(int64_t filters) {
  return Conv2D({.filters = filters,
                 .kernelSize = {3},
                 .padding = halfPadding(3),
                 .weightInitializer = heNormal()});
}

Layer tg::bench::vgg16Bn() {
  Sequential network;
  auto addBlock = [&](int64_t filters, int convolutions) {
    for (int i = 0; i < convolutions; ++i) {
      network.add(convolutionWithBias(filters));
      network.add(normalization());
      network.add(Relu());
    }
    network.add(MaxPooling({.strides = {2}}));
  };
  addBlock(64, 2);
  addBlock(128, 2);
  addBlock(256, 3);
  addBlock(512, 3);
  addBlock(512, 3);
  network.add(globalAverage());
  network.add(classifierHead(512));
  return network;
}
