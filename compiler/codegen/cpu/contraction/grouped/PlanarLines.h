//===- PlanarLines.h - lines of a lhs, channel by channel -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H

#include "compiler/codegen/cpu/contraction/grouped/FewChannelPlan.h"

namespace tg {

/// Copies of the lines of a lhs that a line of the result reads. In the copy,
/// the elements of each channel are contiguous, with zeros around:
///
///   [copiedLines][channels][rowStride]
///
/// A copied line stays until another line needs its slot, so that neighbouring
/// lines of the result, which read some of the same lines, share copies.
class PlanarLines {
public:
  /// Returns the bytes of scratch memory for the copied lines, and for the
  /// table of the source offsets of the lines that the slots hold.
  static llvm::SmallVector<mlir::AffineExpr>
  bytesOf(const FewChannelPlan &plan);
  /// `lines` and `slotSources` are scratch buffers of these sizes.
  PlanarLines(const FewChannelPlan &plan, mlir::Value lines,
              mlir::Value slotSources)
      : plan(plan), frame(plan.frame), ops(plan.ops), lines{lines, plan.type},
        slotSources{slotSources, frame.builder.getI64Type()} {}

  /// Marks all slots as empty and writes the zeros around the lines.
  void clear() const;
  /// Copies the line of the lhs that begins at element `source` to slot
  /// `slot`, if the slot does not hold it already.
  void fetch(mlir::Value source, mlir::Value slot) const;

  const Elements &memory() const { return lines; }

private:
  void copy(mlir::Value source, mlir::Value target) const;
  void copyBlocks(mlir::Value source, mlir::Value target, int64_t count) const;
  void copyBlock(mlir::Value source, mlir::Value target) const;
  void transposeBlock(mlir::Value source, mlir::Value target,
                      mlir::Value channel) const;
  void deinterleaveBlock(mlir::Value source, mlir::Value target) const;
  void copyElementwise(mlir::Value source, mlir::Value target,
                       int64_t count) const;

  const FewChannelPlan &plan;
  KernelFrame &frame;
  IntegerOps ops;
  Elements lines, slotSources;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H
