//===- ArenaLayout.h - offsets of the buffers of a run --------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H
#define TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H

#include "compiler/library/plan/FunctionProgram.h"
#include "dialects/tgx/functions/BufferPlaces.h"

namespace tg {

/// Assigns the buffers of a function to offsets in the arena. The offset of a
/// buffer is a constant if its size, and the sizes of all buffers below it, are
/// constants. Other buffers are placed before each run.
class ArenaLayout {
public:
  ArenaLayout(tgx::FunctionOp function, FunctionProgram &program);

  /// Returns the offset of the buffer with this `id` if it is a constant.
  std::optional<int64_t> offsetOf(int64_t id) const {
    auto found = program.offsets.find(id);
    return found == program.offsets.end() ? std::nullopt
                                          : std::optional(found->second);
  }
  /// Returns the index of the buffer with this `id` among those that are placed
  /// before each run.
  uint32_t indexOf(int64_t id) const { return indices.lookup(id); }

private:
  void addDynamic(tgx::WorkspaceOp buffer);
  /// Returns the index under which a run stores the end of a buffer: a free
  /// one, or 1 (kNoEnd) if the end is not read or no index is free. If none is
  /// free, readers use index 0 (kEndOfAll), the highest end of all buffers so
  /// far, so a buffer may be placed higher than necessary.
  uint32_t allocateEnd(int64_t id);

  FunctionProgram &program;
  /// The offsets that follow from constant sizes.
  tgx::ArenaPlaces constantPlaces;
  /// The index of each dynamic buffer, and of its end, by `id`.
  llvm::DenseMap<int64_t, uint32_t> indices, ends;
  /// The `id` of the last buffer above each buffer, by its `id`.
  llvm::DenseMap<int64_t, int64_t> lastAbove;
  /// The `id` of the last buffer that reads each end, by the index of the end
  /// minus 2.
  llvm::SmallVector<int64_t> heldUntil;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H
