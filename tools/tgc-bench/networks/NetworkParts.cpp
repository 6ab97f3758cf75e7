//===- NetworkParts.cpp - layers that networks share ----------------------===//
#include "NetworkParts.h"
#include <cmath>

using namespace tg;
using namespace tg::bench;

Layer tg::bench::normalization() {
  return BatchNormalization({.momentum = 0.9, .epsilon = 1e-5});
}

Layer tg::bench::convolution(int64_t filters,
                             ConvolutionParameters parameters) {
  return Conv2D({.filters = filters,
                 .kernelSize = {parameters.size},
                 .strides = {parameters.stride},
                 .padding = halfPadding(parameters.size),
                 .groups = parameters.groups,
                 .weightInitializer = heNormal(),
                 .useBias = false});
}

Sequential tg::bench::normalized(int64_t filters,
                                 ConvolutionParameters parameters,
                                 Activation activation) {
  Sequential result({convolution(filters, parameters), normalization()});
  if (activation)
    result.add(Lambda(activation));
  return result;
}

Layer tg::bench::stridedMaxPooling() {
  return MaxPooling(
      {.window = {3, 3}, .strides = {2}, .padding = halfPadding(3)});
}

Layer tg::bench::classifierHead(int64_t channels) {
  double bound = 1 / std::sqrt(double(channels));
  return Linear({.units = 1000,
                 .weightInitializer = uniform({.low = -bound, .high = bound})});
}
