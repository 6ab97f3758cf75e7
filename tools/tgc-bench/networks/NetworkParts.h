//===- NetworkParts.h - layers that networks share ------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H

#include "tg/nn/Layers.h"
#include "tg/nn/graph.h"

namespace tg::bench {

/// Returns zero padding of half the filter size on both sides.
inline Padding halfPadding(int64_t size) { return {Zeros{size / 2, size / 2}}; }

/// Returns the mean over all positions: [n, h, w, c] to [n, c].
inline Layer globalAverage() { return ReduceMean({.axes = {1, 2}}); }

/// Returns a batch normalization with PyTorch's defaults.
Layer normalization();

/// The options of a convolution, except its number of filters. It has no bias.
struct ConvolutionParameters {
  int64_t size = 1, stride = 1, groups = 1;
};
Layer convolution(int64_t filters, ConvolutionParameters parameters);

/// Returns a convolution with batch normalization and an activation: none by
/// default.
Sequential normalized(int64_t filters, ConvolutionParameters parameters,
                      Activation activation = {});

/// Returns max pooling over 3x3 windows with stride 2 and padding 1.
Layer stridedMaxPooling();

/// Returns a linear layer from `channels` to the logits of 1000 classes.
Layer classifierHead(int64_t channels);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H
