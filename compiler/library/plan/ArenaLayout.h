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
  uint32_t numberOf(int64_t id) const { return numbers.lookup(id); }

private:
  void addDynamic(tgx::WorkspaceOp buffer);
  /// Returns a free index for the end of a buffer. Index 0 (kEndOfAll) holds
  /// the end of all buffers so far: it is shared when no other is free, so a
  /// buffer may be placed higher than necessary. Index 1 (kNoEnd) is never
  /// read.
  uint32_t takeEnd(int64_t id);

  FunctionProgram &program;
  /// The places that constant sizes determine.
  tgx::ArenaPlaces places;
  llvm::DenseMap<int64_t, uint32_t> numbers, ends;
  /// The last buffer above each buffer, by `id`.
  llvm::DenseMap<int64_t, int64_t> lastAbove;
  /// The last buffer that reads each end, by index of the end.
  llvm::SmallVector<int64_t> heldUntil;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H
