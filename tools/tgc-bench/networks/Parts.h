//===- Parts.h - what the networks have in common -------------------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_PARTS_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_PARTS_H

#include "tg/nn/Layers.h"

namespace tg::bench {

/// Zeros of half a filter's extent on both sides.
inline Padding around(int64_t size) { return {Zeros{size / 2, size / 2}}; }

/// The mean over all places: [n, h, w, c] to [n, c].
inline Layer globalAverage() { return ReduceMean({.axes = {1, 2}}); }

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_PARTS_H
