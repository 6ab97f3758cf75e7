//===- WinogradEpilogue.h - output transform and epilogue -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H

#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"

namespace tg {

/// Transforms the sums of Winograd tiles to positions of the result, computes
/// and stores the outputs of the ops after the convolution at these positions,
/// and reduces them.
class WinogradEpilogue {
public:
  /// Scratch memory: the sums of a panel, [products][rows][columns]; the
  /// results of one Winograd tile, [positions][positions][columns]; for each
  /// term of the reductions its totals over a part of the rows, [columns]; and
  /// for each reduction its shifts, [columns], if any reduction uses shifts.
  struct Scratch {
    Elements sums, results;
    llvm::SmallVector<Elements> totals, shifts;
  };
  /// Returns the sizes of the scratch memory, in bytes. `reduction` is null
  /// without reductions, here and below.
  static llvm::SmallVector<int64_t>
  scratchBytes(const WinogradPlan &plan, const ResultReduction *reduction);
  /// Assembles the scratch memory from buffers of the sizes that scratchBytes()
  /// returns.
  static Scratch makeScratch(const WinogradPlan &plan,
                             const ResultReduction *reduction,
                             llvm::ArrayRef<mlir::Value> memory);

  WinogradEpilogue(const WinogradPlan &plan, const WinogradBlock &block,
                   const Scratch &scratch, ResultReduction *reduction);

  /// Emits `tiles`, and the finalize step that runs when all tiles are done.
  void emit(llvm::function_ref<void()> tiles);
  /// Computes the outputs of all rows of the block for the `width` columns from
  /// `firstColumn` on.
  void finishPanel(mlir::Value firstColumn, mlir::Value width);

  /// Returns true if an op after the product has no element rule.
  bool hasFailed() const { return elements.hasFailed(); }

private:
  /// The output of a Winograd tile: its image, its first position, and, along
  /// each axis, the number of its positions that lie inside the result.
  struct OutputTile {
    mlir::Value image, line, column, lines, columns;
  };

  OutputTile outputTileOf(mlir::Value row) const;
  void transformSums(mlir::Value row, mlir::Value width) const;
  void forEachVector(
      mlir::Value begin, mlir::Value end, unsigned lanes,
      llvm::function_ref<void(mlir::Value column, unsigned count)> build);
  Position selectPosition(const OutputTile &tile, mlir::Value y, mlir::Value x,
                          mlir::Value column, unsigned lanes);
  void storeRow(mlir::Value row, mlir::Value begin, mlir::Value end);

  void reduceParts(mlir::Value begin, mlir::Value end);
  void reducePart(mlir::Value firstRow, mlir::Value begin, mlir::Value end);
  llvm::SmallVector<mlir::Value> reduceTile(const OutputTile &tile,
                                            mlir::Value column, unsigned lanes);
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<Elements> memory,
                                      mlir::Value column, unsigned lanes) const;
  void store(llvm::ArrayRef<Elements> memory, mlir::Value column,
             unsigned lanes, mlir::ValueRange values) const;
  void clearPart(mlir::Value begin, mlir::Value end);
  void chooseShifts(mlir::Value isFirst, const OutputTile &tile,
                    mlir::Value begin, mlir::Value end);

  const WinogradPlan &plan;
  const WinogradBlock &block;
  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  Scratch scratch;
  ResultReduction *reduction;
  llvm::SmallVector<unsigned> outputs;
  /// The extents of the result along the two axes.
  llvm::SmallVector<mlir::Value, 2> extents;
  ElementEmitter elements;
  /// The first column of the panel, and the offset in Scratch::results of the
  /// position that is being computed.
  mlir::Value panelColumn, currentOffset;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H
