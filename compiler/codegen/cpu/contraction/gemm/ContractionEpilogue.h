//===- ContractionEpilogue.h - stores and epilogue of a product's sums ----===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H

#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The epilogue of a product: keeps the sums of a tile between K-blocks, and
/// computes the outputs from them with the ops after the product. If there are
/// few such ops, they take the sums from registers, otherwise from scratch
/// memory, by panels or rows of the tile.
class ContractionEpilogue {
public:
  /// Return the number of scratch elements for each row of a tile: for the
  /// sums, and for the totals of groups of K-blocks.
  static int64_t scratchElements(const ContractionPlan &plan);
  static int64_t totalElements(const ContractionPlan &plan);

  /// `scratch` and `totals` have room for the rows of a tile. `lines` is null
  /// for products of matrices, `reduction` is null if nothing is reduced.
  ContractionEpilogue(const ContractionPlan &plan, const ContractionTile &tile,
                      mlir::Value scratch, mlir::Value totals,
                      const WindowLines *lines, ResultReduction *reduction);

  /// Emits `tiles`, and the finalize step that runs when all tiles are done.
  void emit(llvm::function_ref<void()> tiles);

  /// Returns true if a register tile of `vectors` vectors of columns can be
  /// finished.
  bool canFinish(unsigned vectors) const;
  /// Returns the initial sums of the register tile at (row, column) of the
  /// tile: zeros in the first K-block and in sums of blocks, otherwise the sums
  /// of the blocks before.
  llvm::SmallVector<mlir::Value> start(const RegisterTile &shape,
                                       mlir::Value row, mlir::Value column,
                                       const KBlock &block) const;
  /// Adds the sums of a register tile at the end of a K-block to those of the
  /// blocks before, if the sums have blocks. Stores the result, or computes
  /// outputs from it if the block is the last one.
  void finish(const RegisterTile &shape, mlir::Value row, mlir::Value column,
              mlir::ValueRange sums, const KBlock &block);

  /// Calls `build` for each range of the tile's rows. The sums of a range are
  /// still in L1 when outputs are computed from them.
  void forEachRowRange(llvm::function_ref<void(const RowRange &)> build);
  /// Emits prefetches, in the last K-block, of the memory that the ops after
  /// the product read and write for a full register tile. The prefetches are
  /// divided into `countPrefetches` parts; a call emits part `part` of them, to
  /// run while products are summed.
  void prefetchMatrices(mlir::Value row, mlir::Value column, mlir::Value part,
                        const KBlock &block) const;
  /// Returns the number of equal parts into which the prefetches of
  /// prefetchMatrices() and the steps of the K-block are divided.
  int64_t countPrefetches(const KBlock &block) const;
  /// Computes, in the last K-block, the outputs of the columns of a panel for a
  /// range of rows.
  void finishRows(const RowRange &range, mlir::Value column, mlir::Value width,
                  const KBlock &block);

  /// Returns true if an op after the product has no element rule.
  bool hasFailed() const { return elements.hasFailed(); }

private:
  void forEachVector(
      const RegisterTile &shape, mlir::Value row, mlir::Value column,
      llvm::function_ref<void(mlir::Value offset, unsigned index)> visit) const;
  mlir::Value resultRow(mlir::Value row) const;
  mlir::Value sumOffset(mlir::Value row, mlir::Value column,
                        int64_t shift = 0) const;
  llvm::SmallVector<mlir::Value> loadSums(const RegisterTile &shape,
                                          mlir::Value row, mlir::Value column,
                                          const Elements &from) const;
  void storeSums(const RegisterTile &shape, mlir::Value row, mlir::Value column,
                 mlir::ValueRange sums, const Elements &to) const;
  llvm::SmallVector<mlir::Value> addStored(const RegisterTile &shape,
                                           mlir::Value row, mlir::Value column,
                                           mlir::ValueRange sums,
                                           const Elements &from,
                                           mlir::Value condition) const;
  llvm::SmallVector<mlir::Value> addBlocksBefore(const RegisterTile &shape,
                                                 mlir::Value row,
                                                 mlir::Value column,
                                                 mlir::ValueRange sums,
                                                 const KBlock &block) const;
  Elements memoryAfter(const KBlock &block) const;
  void ifLast(const KBlock &block, llvm::function_ref<void()> build,
              llvm::function_ref<void()> otherwise = nullptr) const;
  void emitRegisters(const RegisterTile &shape, mlir::Value row,
                     mlir::Value column, mlir::ValueRange sums);
  void emitVectors(const RegisterTile &shape, mlir::Value row,
                   mlir::Value column, mlir::ValueRange sums, unsigned vectors);
  void emitRows(const RowRange &range, mlir::Value begin, mlir::Value end);
  void emitReducedRows(const RowRange &range, mlir::Value column,
                       unsigned lanes);
  void storeOutputs(const Position &position, unsigned lanes);

  const ContractionPlan &plan;
  const ContractionTile &tile;
  /// The sums of the tile, of the current group of K-blocks if blocks form
  /// groups, and the totals of the groups before.
  Elements sums, totals;
  const WindowLines *lines;
  ResultReduction *reduction;
  /// Indices of the outputs that have the extents of the result.
  llvm::SmallVector<unsigned> outputs;
  /// Arguments with the extents of the result that ops after the product read.
  llvm::SmallVector<mlir::Value> matrices;
  /// True if the ops after the product take the last sums from registers.
  bool takesRegisters;
  NonTemporalStores nonTemporal;
  ElementEmitter elements;
  /// True if the sum is one K-block, so that no sums are kept between blocks.
  /// All ranges of the rows of a panel then reuse the same scratch memory.
  bool isOneBlock;
  /// The first row of the range that is being computed, and the row whose
  /// elements are being computed from sums in scratch memory.
  mlir::Value rangeBegin, currentRow;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H
