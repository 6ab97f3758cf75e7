//===- GroupedFilterLines.h - lines in gradients of grouped filters -------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERLINES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERLINES_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedFilterPlan.h"

namespace tg {

/// Adds the products of lines of positions to the sums of the taps of a filter.
class GroupedFilterLines {
public:
  explicit GroupedFilterLines(const GroupedPlan &plan);

  /// Adds the products of line `number` to the sums of all taps of a pass, for
  /// a vector of channels and a channel of each group. Positions are added in
  /// ascending order. Returns the sums.
  llvm::SmallVector<mlir::Value> add(const TapPass &pass, mlir::Value number,
                                     const ChannelVector &vector,
                                     mlir::Value channel,
                                     mlir::ValueRange sums) const;

private:
  /// The lhs line that a tap of the outer axes reads.
  struct TapLine {
    /// The offset of its channel 0.
    mlir::Value lhs;
    /// True if the line lies inside of the lhs; null if that is always so.
    mlir::Value isInside = {};
  };

  TapLine tapLineOf(int64_t tap, llvm::ArrayRef<mlir::Value> index) const;
  llvm::SmallVector<mlir::Value>
  addTile(const LineTile &tile, const ChannelVector &vector,
          mlir::Value channel, llvm::ArrayRef<TapLine> tapLines,
          mlir::Value rhs, mlir::ValueRange start) const;
  llvm::SmallVector<mlir::Value>
  buildIf(mlir::Value condition, mlir::ValueRange sums,
          llvm::function_ref<llvm::SmallVector<mlir::Value>()> buildThen,
          llvm::function_ref<llvm::SmallVector<mlir::Value>()> buildElse) const;

  const GroupedPlan &plan;
  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  LinePhase line;
  Elements rhs;
  mlir::Value lineExtent, rhsStride;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERLINES_H
