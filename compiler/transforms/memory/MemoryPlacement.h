//===- MemoryPlacement.h - ways to place buffers in the arena -------------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H
#define TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include <optional>

namespace tg {

/// The offsets of buffers. Buffers that are live together do not overlap.
struct Placement {
  llvm::SmallVector<int64_t> offsets;
  /// The end of the highest buffer.
  int64_t bytes;
};

/// An algorithm that places buffers whose sizes are multiples of the alignment.
/// `order` lists the buffers by descending priority. Returns none if the
/// placement needs `limit` bytes or more.
using PlaceBuffers = std::optional<Placement>(llvm::ArrayRef<Lifetime> buffers,
                                              llvm::ArrayRef<unsigned> order,
                                              int64_t limit);

/// Places the buffers in order, each in the smallest gap that fits it, or on
/// top of the placed buffers if no gap does. O(n log n) if there are few gaps
/// between buffers; gives up if there are many.
PlaceBuffers placeBestFit;

/// Repeatedly places, at the lowest free offset, the buffer of the highest
/// priority that fits there. O(n log^2 n).
PlaceBuffers placeLowestFirst;

/// Returns the number of steps of all buffers.
unsigned countSteps(llvm::ArrayRef<Lifetime> buffers);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H
