/// The limits of this machine.
#ifndef TG_TOOLS_COMMON_MACHINE_H
#define TG_TOOLS_COMMON_MACHINE_H

#include <cstdint>
#include <memory>

namespace tg {

/// The resources that bound a program on a machine.
enum class Limit { fma, read, copy, update };

/// Measures the peak of fused multiply-adds and the bandwidth of memory, with
/// the widest vectors of this CPU. Holds memory from the first measurement of
/// bandwidth on: two arrays per thread, which must be far beyond the caches.
class Machine {
public:
  /// `threads`: 1 or more, each on a core of its own as far as there are.
  explicit Machine(unsigned threads, int64_t arrayBytes = 256 << 20);
  ~Machine();

  /// The median part of one short measurement (some 50 to 100 ms):
  /// FLOP/s / 10^9, or bytes/s / 10^9. Reads count once, copies and updates
  /// twice. 0 on a CPU without vectors of 256 bits and fused multiply-adds.
  double measure(Limit limit);

private:
  struct Arrays;
  unsigned threads;
  int64_t partBytes; // of an array, for one part of a measurement
  std::unique_ptr<Arrays> arrays;
};

} // namespace tg

#endif // TG_TOOLS_COMMON_MACHINE_H
