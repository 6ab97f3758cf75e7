//===- NetworkParts.h - what the networks have in common ------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H

#include "tg/nn/Layers.h"
#include "tg/nn/graph.h"

namespace tg::bench {

/// Zeros of half a filter's extent on both sides.
inline Padding around(int64_t size) { return {Zeros{size / 2, size / 2}}; }

/// The mean over all places: [n, h, w, c] to [n, c].
inline Layer globalAverage() { return ReduceMean({.axes = {1, 2}}); }

/// A batch normalization with PyTorch's numbers.
Layer normalization();

/// The options of a convolution without bias beside its filters.
struct Windows {
  int64_t size = 1, stride = 1, groups = 1;
};
Layer convolution(int64_t filters, Windows windows);

/// A convolution, normalized, and what becomes of it: none by default.
Sequential normalized(int64_t filters, Windows windows,
                      Activation activation = {});

/// 3x3 windows with stride 2 and a place around.
Layer halvingMaxima();

/// The logits of 1000 classes for so many channels.
Layer classes(int64_t channels);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPARTS_H
