//===- ContractionEpilogue.h - what becomes of the sums of a product ------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H

#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The sums of a tile: where they wait between K-blocks, and the ops behind the
/// product that make the outputs of them: of registers where these ops are few,
/// else of panels or rows of a tile in scratch memory.
class ContractionEpilogue {
public:
  /// Elements of scratch memory for each row of a tile.
  static int64_t scratchElements(const ContractionPlan &plan);

  /// `scratch` has room for the rows of a tile; `reduction` is null without
  /// reductions.
  /// Null, too, are the `lines` of products of matrices.
  ContractionEpilogue(const ContractionPlan &plan, const ContractionTile &tile,
                      mlir::Value scratch, const WindowLines *lines,
                      ResultReduction *reduction);

  /// Emits `tiles`, and what runs when all tiles are done.
  void emit(llvm::function_ref<void()> tiles);

  /// Returns the first sums of the register tile at (row, column) of the tile.
  llvm::SmallVector<mlir::Value> start(const RegisterTile &shape,
                                       mlir::Value row, mlir::Value column,
                                       const KBlock &block) const;
  /// Stores or finishes its sums at the end of a K-block.
  void finish(const RegisterTile &shape, mlir::Value row, mlir::Value column,
              mlir::ValueRange sums, const KBlock &block);

  /// Calls `build` for the rows of the tile: part by part, so that the sums of
  /// each are still in the first cache when outputs are made of them.
  void forEachPart(llvm::function_ref<void(const RowPart &)> build);
  /// In the last K-block, asks for the memory that the ops behind a full
  /// register tile read and write, so that it comes while products are summed:
  /// part `part` of `countAsks`.
  void prefetchMatrices(mlir::Value row, mlir::Value column, mlir::Value part,
                        const KBlock &block) const;
  /// Parts of a K-block that each ask for as much.
  int64_t countAsks(const KBlock &block) const;
  /// In the last K-block, makes outputs of the columns of a panel for the rows
  /// of a part.
  void finishPart(const RowPart &part, mlir::Value column, mlir::Value width,
                  const KBlock &block);

  /// Returns true if an op behind the product has no element rule.
  bool hasFailed() const { return elements.hasFailed(); }

private:
  void
  forEachVector(const RegisterTile &shape, mlir::Value row, mlir::Value column,
                llvm::function_ref<void(mlir::Value offset, unsigned number)>
                    visit) const;
  mlir::Value resultRow(mlir::Value row) const;
  mlir::Value sumOffset(mlir::Value row, mlir::Value column,
                        int64_t shift = 0) const;
  void keep(const RegisterTile &shape, mlir::Value row, mlir::Value column,
            mlir::ValueRange sums) const;
  void ifLast(const KBlock &block, llvm::function_ref<void()> build,
              llvm::function_ref<void()> otherwise = nullptr) const;
  void emitRegisters(const RegisterTile &shape, mlir::Value row,
                     mlir::Value column, mlir::ValueRange sums);
  void emitVectors(const RegisterTile &shape, mlir::Value row,
                   mlir::Value column, mlir::ValueRange sums, unsigned vectors);
  void emitRows(const RowPart &part, mlir::Value begin, mlir::Value end);
  void emitSums(const RowPart &part, mlir::Value column, unsigned lanes);
  void storeOutputs(const Position &position, unsigned lanes);

  const ContractionPlan &plan;
  const ContractionTile &tile;
  Elements sums;
  const WindowLines *lines;
  ResultReduction *reduction;
  /// The outputs that have the extents of the result.
  llvm::SmallVector<unsigned> outputs;
  /// The matrices of the result's extents that ops behind the product read.
  llvm::SmallVector<mlir::Value> matrices;
  /// True if the ops behind the product take the last sums from the registers.
  bool takesRegisters;
  Streaming streaming;
  ElementEmitter elements;
  /// True if sums need not wait for other K-blocks: those of a part of the rows
  /// of a panel then have the same scratch memory as those of all others.
  bool isOneBlock;
  /// The part that is being computed, and the row of the elements which are
  /// being computed of sums in scratch memory.
  mlir::Value currentPart, currentRow;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONEPILOGUE_H
