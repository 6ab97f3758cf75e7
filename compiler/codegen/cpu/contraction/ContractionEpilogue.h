//===- ContractionEpilogue.h - what becomes of the sums of a product ------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEPILOGUE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEPILOGUE_H

#include "compiler/codegen/cpu/contraction/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/WindowLines.h"
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

  /// What the register tile at (row, column) of the tile starts from.
  llvm::SmallVector<mlir::Value> start(const RegisterTile &shape,
                                       mlir::Value row, mlir::Value column,
                                       const KBlock &block) const;
  /// What becomes of its sums at the end of a K-block.
  void finish(const RegisterTile &shape, mlir::Value row, mlir::Value column,
              mlir::ValueRange sums, const KBlock &block);

  /// In the last K-block, asks for the memory of the outputs that a full
  /// register tile becomes, so that the stores behind it need not wait.
  void prefetchOutputs(mlir::Value row, mlir::Value column,
                       const KBlock &block) const;
  /// In the last K-block, makes outputs of what is complete: after a panel, or
  /// after the whole block.
  void finishPanel(mlir::Value column, mlir::Value width, const KBlock &block);
  void finishBlock(const KBlock &block);

  /// Whether an op behind the product has no element rule.
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
  void emitColumns(mlir::Value column, mlir::Value width);
  void emitRows(mlir::Value begin, mlir::Value end);
  void emitParts(mlir::Value begin, mlir::Value end);
  void emitPart(mlir::Value firstRow, mlir::Value column, unsigned lanes);
  void storeOutputs(const Position &position, unsigned lanes);

  const ContractionPlan &plan;
  const ContractionTile &tile;
  Elements sums;
  const WindowLines *lines;
  ResultReduction *reduction;
  /// The outputs that have the extents of the result.
  llvm::SmallVector<unsigned> outputs;
  /// Whether ops behind the product read matrices of its result's extents. They
  /// lie far away, and whole rows of a tile come faster than panels.
  bool readsMatrices;
  /// Whether the ops behind the product take the last sums from the registers.
  bool takesRegisters;
  Streaming streaming;
  ElementEmitter elements;
  /// That of the elements which are being computed of sums in scratch memory.
  mlir::Value currentRow;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEPILOGUE_H
