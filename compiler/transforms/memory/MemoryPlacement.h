//===- MemoryPlacement.h - ways to place buffers in the arena -------------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H
#define TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include <optional>

namespace tg {

/// Where buffers lie, of which none that are live together overlap.
struct Placement {
  llvm::SmallVector<int64_t> offsets;
  /// The end of the highest.
  int64_t bytes;
};

/// A way to place buffers whose bytes are multiples of the alignment: `order`
/// has the most wanted ones first. None where that needs `limit` bytes.
using PlaceBuffers = std::optional<Placement>(llvm::ArrayRef<Lifetime> buffers,
                                              llvm::ArrayRef<unsigned> order,
                                              int64_t limit);

/// One after the other, each in the smallest gap that it fits, else on top.
/// O(n log n) while few gaps lie between buffers; gives up where there are
/// many.
PlaceBuffers placeBestFit;

/// At the lowest offset that is free, the most wanted one of those that fit
/// there. O(n log^2 n).
PlaceBuffers placeLowestFirst;

/// The steps of all buffers.
unsigned countSteps(llvm::ArrayRef<Lifetime> buffers);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_MEMORYPLACEMENT_H
