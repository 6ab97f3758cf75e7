//===- MemoryPlan.h - the layout of buffers in the arena ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLAN_H
#define TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tg {

/// A buffer that is live in the steps [first, last].
struct Lifetime {
  unsigned first, last;
  /// The bytes at the planned extents.
  int64_t bytes;
};

/// An order of buffers by their offsets. Buffers that are live together are
/// ordered, so they never overlap, whatever their sizes at run time. At the
/// planned sizes the arena is as small as in the best of a few greedy
/// placements.
struct MemoryPlan {
  /// The buffers from the lowest offset to the highest.
  llvm::SmallVector<unsigned> order;
  /// For each buffer, the buffers directly below it: its offset must be at
  /// least the ends of these.
  llvm::SmallVector<llvm::SmallVector<unsigned>> above;
  /// The arena bytes at the planned sizes, and the largest sum of live bytes,
  /// which is a lower bound for every plan.
  int64_t bytes = 0, lowerBound = 0;
};

/// Returns the smallest of several placements. Buffers, which take multiples of
/// `alignment`, are placed in several orders: by size, by size times duration,
/// by start, by duration. In each order they are placed by best fit (the greedy
/// heaps of XLA and TensorFlow Lite), and then at the lowest free offset first
/// (Sekiyama et al., "Profile-guided memory optimization for deep neural
/// networks"). Stops once no plan can be smaller. O(n log^2 n).
MemoryPlan planMemory(llvm::ArrayRef<Lifetime> buffers, int64_t alignment);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLAN_H
