//===- WinogradEpilogue.h - what becomes of the sums of Winograd tiles ----===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H

#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"

namespace tg {

/// Transforms the sums of Winograd tiles, gives the positions that the result
/// has to the ops behind the convolution, stores what they make and reduces it.
class WinogradEpilogue {
public:
  /// The sums of a panel, [products][rows][columns]; what those of a Winograd
  /// tile become, [positions][positions][columns]; of each reduction what a
  /// part has so far, [columns], and its pivots, if any uses them.
  struct Scratch {
    Elements sums, results;
    llvm::SmallVector<Elements> totals, pivots;
  };
  /// `reduction` is null without reductions, here and below.
  static llvm::SmallVector<int64_t>
  scratchBytes(const WinogradPlan &plan, const ResultReduction *reduction);
  /// Makes scratch memory of these sizes.
  static Scratch makeScratch(const WinogradPlan &plan,
                             const ResultReduction *reduction,
                             llvm::ArrayRef<mlir::Value> memory);

  WinogradEpilogue(const WinogradPlan &plan, const WinogradBlock &block,
                   const Scratch &scratch, ResultReduction *reduction);

  /// Emits `tiles`, and what runs when all tiles are done.
  void emit(llvm::function_ref<void()> tiles);
  /// Makes outputs of the sums of all rows of the block for `width` columns.
  void finishPanel(mlir::Value firstColumn, mlir::Value width);

  /// Returns true if an op behind the product has no element rule.
  bool hasFailed() const { return elements.hasFailed(); }

private:
  /// A Winograd tile: where its positions begin, and how many the result has.
  struct Square {
    mlir::Value image, line, column, lines, columns;
  };

  Square squareOf(mlir::Value row) const;
  void transformSums(mlir::Value row, mlir::Value width) const;
  void
  forEachVector(mlir::Value begin, mlir::Value end, unsigned lanes,
                llvm::function_ref<void(mlir::Value at, unsigned count)> build);
  Position enter(const Square &square, mlir::Value y, mlir::Value x,
                 mlir::Value at, unsigned lanes);
  void storeRow(mlir::Value row, mlir::Value begin, mlir::Value end);

  void reduceParts(mlir::Value begin, mlir::Value end);
  void reducePart(mlir::Value firstRow, mlir::Value begin, mlir::Value end);
  llvm::SmallVector<mlir::Value> reduceSquare(const Square &square,
                                              mlir::Value at, unsigned lanes);
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<Elements> memory,
                                      mlir::Value at, unsigned lanes) const;
  void store(llvm::ArrayRef<Elements> memory, mlir::Value at, unsigned lanes,
             mlir::ValueRange values) const;
  void clearPart(mlir::Value begin, mlir::Value end);
  void choosePivots(mlir::Value isFirst, const Square &square,
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
  /// Extents of the result along the axes.
  llvm::SmallVector<mlir::Value, 2> extents;
  ElementEmitter elements;
  /// The first column of the panel, and where the position that is being
  /// computed lies in the results of a Winograd tile.
  mlir::Value panelColumn, currentOffset;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADEPILOGUE_H
