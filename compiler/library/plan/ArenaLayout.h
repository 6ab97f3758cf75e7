//===- ArenaLayout.h - where buffers of a run begin -----------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H
#define TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H

#include "compiler/library/plan/FunctionProgram.h"

namespace tg {

/// Says where buffers begin: as constants where their sizes and all below are
/// constants, else as buffers that are laid out before each run.
class ArenaLayout {
public:
  ArenaLayout(tgx::FunctionOp function, FunctionProgram &program);

  /// The offset of a buffer by its `id`, if it is a constant.
  std::optional<int64_t> offsetOf(int64_t id) const {
    auto found = program.offsets.find(id);
    return found == program.offsets.end() ? std::nullopt
                                          : std::optional(found->second);
  }
  /// Its number among the others otherwise.
  uint32_t numberOf(int64_t id) const { return numbers.lookup(id); }

private:
  void findLastUses();
  void add(tgx::WorkspaceOp buffer);
  void addDynamic(tgx::WorkspaceOp buffer, int64_t least);
  /// A number under which an end is remembered. The first one stands for the
  /// end of all buffers so far: where no other is free, a buffer may lie higher
  /// than it has to. The second one is never read.
  uint32_t takeEnd(int64_t id);

  tgx::FunctionOp function;
  FunctionProgram &program;
  llvm::DenseMap<int64_t, int64_t> constantEnds;
  llvm::DenseMap<int64_t, uint32_t> numbers, ends;
  /// The last buffer above one, by `id`.
  llvm::DenseMap<int64_t, int64_t> lastUses;
  /// Which buffer holds each number until when.
  llvm::SmallVector<int64_t> heldUntil;
  /// Buffers that are exchanged: their bases change.
  llvm::DenseSet<mlir::Operation *> swapped;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_ARENALAYOUT_H
