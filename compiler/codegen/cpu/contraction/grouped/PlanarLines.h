//===- PlanarLines.h - lines of an lhs, channel by channel ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H

#include "compiler/codegen/cpu/contraction/grouped/NarrowPlan.h"

namespace tg {

/// Copies of the lines of an lhs that a line of the result meets, in which the
/// elements of a channel follow each other with zeros around:
///
///   [copiedLines][channels][pitch]
///
/// A line stays until another one needs its place, so that lines of the result
/// share them.
class PlanarLines {
public:
  /// Bytes of scratch memory for the lines, and for which ones they are.
  static llvm::SmallVector<mlir::AffineExpr> bytesOf(const NarrowPlan &plan);
  /// `lines` and `numbers` have room for these.
  PlanarLines(const NarrowPlan &plan, mlir::Value lines, mlir::Value numbers)
      : plan(plan), frame(plan.frame), ops(plan.ops), lines{lines, plan.type},
        numbers{numbers, frame.builder.getI64Type()} {}

  /// Forgets all lines and writes the zeros around them.
  void clear() const;
  /// Copies the line of the lhs that begins at `source` to place `place`, if it
  /// is not there.
  void fetch(mlir::Value source, mlir::Value place) const;

  const Elements &memory() const { return lines; }

private:
  void copy(mlir::Value source, mlir::Value target) const;
  void copyBlocks(mlir::Value source, mlir::Value target, int64_t count) const;
  void copyBlock(mlir::Value source, mlir::Value target) const;
  void transposeBlock(mlir::Value source, mlir::Value target,
                      mlir::Value channel) const;
  void spreadBlock(mlir::Value source, mlir::Value target) const;
  void copySingly(mlir::Value source, mlir::Value target, int64_t count) const;

  const NarrowPlan &plan;
  KernelFrame &frame;
  IntegerOps ops;
  Elements lines, numbers;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_PLANARLINES_H
