/// The limits of this machine.
#ifndef TG_TOOLS_COMMON_MACHINE_H
#define TG_TOOLS_COMMON_MACHINE_H

#include <cstdint>
#include <memory>

namespace tg {

/// The resource that bounds the speed of a program.
enum class Limit { fma, read, copy, update };

/// Measures the peak rate of fused multiply-adds and the memory bandwidth with
/// the widest vectors of this CPU. The first measurement of bandwidth allocates
/// two arrays per thread, which must be far larger than the caches.
class Machine {
public:
  /// Creates a machine with `threads` >= 1 threads, each on its own core if
  /// there are enough.
  explicit Machine(unsigned threads, int64_t arrayBytes = 256 << 20);
  ~Machine();

  /// Returns the median over the parts of one short measurement (50 to 100 ms),
  /// in units of 10^9 FLOP/s or 10^9 bytes/s. A byte that is read counts once;
  /// a byte that is copied or updated counts twice. Returns 0 on a CPU without
  /// 256-bit vectors and fused multiply-adds.
  double measure(Limit limit);

private:
  struct Arrays;
  unsigned threads;
  int64_t partBytes; // of an array, for one part of a measurement
  std::unique_ptr<Arrays> arrays;
};

} // namespace tg

#endif // TG_TOOLS_COMMON_MACHINE_H
