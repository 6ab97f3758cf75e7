//===- Growth.h - the compiler's time over the size of a model ------------===//
#ifndef TG_TOOLS_TGC_BENCH_GROWTH_H
#define TG_TOOLS_TGC_BENCH_GROWTH_H

#include <cstdint>

namespace tg::bench {

/// Compiles models of three sizes, each twice the previous one, up to the phase
/// `schedule`, and prints the seconds of each phase. The models are a chain of
/// at least `ops` ops, a wide graph (reductions of one value, a fifth as many),
/// and training steps (layers, a hundredth as many). Returns true if all of
/// them compiled.
bool measureGrowth(int64_t ops, int optimization, bool json);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_GROWTH_H
