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

/// An algorithm that places buffers whose bytes are multiples of the alignment.
/// `order` lists the most wanted buffers first. Returns none if the placement
/// needs `limit` bytes or more.
using PlaceBuffers = std::optional<Placement>(llvm::ArrayRef<Lifetime> buffers,
                                              llvm::ArrayRef<unsigned> order,
                                              int64_t limit);

/// Places one buffer after the other, each in the smallest gap that fits it,
/// else on top. O(n log n) if there are few gaps between buffers; gives up if
/// there are many.
PlaceBuffers placeBestFit;

/// Places the most wanted buffer that fits at the lowest free offset. O(n log^2
/// n).
PlaceBuffers placeLowestFirst;

/// Returns the number of steps of all buffers.
unsigned countSteps(llvm::ArrayRef<Lifetime> buffers);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H
