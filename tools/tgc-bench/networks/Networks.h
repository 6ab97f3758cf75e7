//===- Networks.h - convolutional networks --------------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H

#include "tg/graph.h"

namespace tg::bench {

/// All take images [n, h, w, c] and begin with the distributions of PyTorch.

/// relu(convolution + bias) with zeros of half the filter's extent around.
Layer convolutionRelu(int64_t filters, int64_t size, int64_t stride = 1,
                      int64_t groups = 1);

/// Nine convolutions with bias and ReLU, and the mean over all places: logits
/// of 10 classes. Springenberg and others, "Striving for Simplicity: The All
/// Convolutional Net", 2015: All-CNN-C.
Layer allCnn();

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKS_H
