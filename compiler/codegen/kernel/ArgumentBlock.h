//===- ArgumentBlock.h - the operands of a launch -------------------------===//
//
// A launch passes 8-byte slots:
//
//   inputs    a pointer each, in the order of the kernel's arguments
//   outputs   a pointer each, in the order of tgx.yield
//   symbols   an i64 each
//   scratch   a pointer to temporary memory
//   error     a pointer to the report (tg_embedded_report_t), followed by the
//             error cells
//   workers   the number of workers of the run, an i64 of at least 1; on a
//             device the number of the launch, counted from 1
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_ARGUMENTBLOCK_H
#define TG_COMPILER_CODEGEN_KERNEL_ARGUMENTBLOCK_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// The layout of a kernel's argument block: the number of slots of each kind,
/// and functions that return the indices of slots.
struct ArgumentBlock {
  unsigned inputs, outputs, symbols;
  /// See tgx.kernel; may be empty.
  llvm::ArrayRef<int64_t> alignments;
  explicit ArgumentBlock(tgx::KernelOp kernel)
      : inputs(kernel.getBlock().getNumArguments()),
        outputs(kernel.getOutputs().size()), symbols(kernel.getSymbolCount()),
        alignments(kernel.getAlignments().value_or(llvm::ArrayRef<int64_t>())) {
  }
  /// Returns the alignment in bytes of the address in a slot, as far as it is
  /// known; 1 if it is not.
  int64_t alignmentOf(unsigned slot) const {
    return slot < alignments.size() ? alignments[slot] : 1;
  }
  unsigned output(unsigned index) const { return inputs + index; }
  unsigned symbol(unsigned index) const { return inputs + outputs + index; }
  unsigned scratch() const { return inputs + outputs + symbols; }
  unsigned error() const { return scratch() + 1; }
  unsigned workers() const { return scratch() + 2; }
  unsigned count() const { return scratch() + 3; }
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_ARGUMENTBLOCK_H
