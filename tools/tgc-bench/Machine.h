//===- Machine.h - what this machine can do at most -----------------------===//
#ifndef TG_TOOLS_TGC_BENCH_MACHINE_H
#define TG_TOOLS_TGC_BENCH_MACHINE_H

#include "Workloads.h"
#include <memory>

namespace tg::bench {

/// Measures the peak of fused multiply-adds and the bandwidth of memory, with
/// the widest vectors of this CPU. Holds memory from the first measurement of
/// bandwidth on: 256 MiB per array and thread, far beyond the caches.
class Machine {
public:
  /// `threads`: 1 or more, each on a core of its own as far as there are.
  explicit Machine(unsigned threads);
  ~Machine();

  /// The median part of one short measurement (some 50 to 100 ms):
  /// FLOP/s / 10^9, or bytes/s / 10^9. Reads count once, copies and updates
  /// twice.
  double measure(Limit limit);

private:
  struct Arrays;
  unsigned threads;
  std::unique_ptr<Arrays> arrays;
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_MACHINE_H
