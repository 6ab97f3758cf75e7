//===- AllCnn.cpp - a network of convolutions alone -----------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

Layer tg::bench::convolutionRelu(int64_t filters, int64_t size, int64_t stride,
                                 int64_t groups) {
  return Conv2D({.filters = filters,
                 .kernelSize = {size},
                 .strides = {stride},
                 .padding = halfPadding(size),
                 .groups = groups,
                 .activation = relu,
                 .weightInitializer = heNormal()});
}

Layer tg::bench::allCnn() {
  return Sequential({convolutionRelu(96, 3), convolutionRelu(96, 3),
                     convolutionRelu(96, 3, 2), convolutionRelu(192, 3),
                     convolutionRelu(192, 3), convolutionRelu(192, 3, 2),
                     convolutionRelu(192, 3), convolutionRelu(192, 1),
                     convolutionRelu(10, 1), globalAverage()});
}
