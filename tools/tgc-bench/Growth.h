//===- Growth.h - the compiler's time over the size of a model ------------===//
#ifndef TG_TOOLS_TGC_BENCH_GROWTH_H
#define TG_TOOLS_TGC_BENCH_GROWTH_H

#include <cstdint>

namespace tg::bench {

/// Compiles models of four kinds up to the phase `schedule`, and prints the
/// seconds of each phase. The smallest models are a chain of `ops` ops, `ops` /
/// 5 reductions of one value, `ops` / 5 buffers that are live at the same time,
/// and a training step of `ops` / 100 layers. Each kind also has models of two
/// and four times this size. Returns true if all models compiled.
bool measureGrowth(int64_t ops, int optimization, bool json);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_GROWTH_H
