//===- ContractionEmitter.h - matrix products in registers ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEMITTER_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEMITTER_H

#include "compiler/codegen/cpu/contraction/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/ContractionSpace.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// A matrix in memory: element (i, j) lies at base + i * row + j * column.
struct Matrix {
  Elements elements;
  mlir::Value base, row, column;
};

/// Emits one kernel of strategy "contraction" over matrices in memory.
class ContractionEmitter {
public:
  ContractionEmitter(KernelFrame &frame, Contraction contraction);
  llvm::LogicalResult emit();

private:
  void findTile();
  void takeScratch();
  Matrix matrixOf(const ContractionTensor &operand, unsigned rowDimension,
                  unsigned columnDimension);
  Matrix lhsMatrix();
  void emitBlocks();
  void emitBlock(mlir::Value begin);
  void packLhs(mlir::Value begin, mlir::Value depth);
  void packTransposedLhs(mlir::Value begin, mlir::Value depth);
  bool packsLhs();
  Matrix packedRows(mlir::Value row);
  Matrix rowsInPlace(mlir::Value row, mlir::Value begin);
  void emitPanel(mlir::Value column, mlir::Value begin, mlir::Value depth);
  Matrix panelOf(mlir::Value column, mlir::Value begin, mlir::Value depth);
  Matrix packedPanel(mlir::Value column, mlir::Value begin);
  void findFollowing(mlir::Value column, mlir::Value begin, mlir::Value depth);
  mlir::Value shareOfFollowing(mlir::Value row, mlir::Value panelColumn);
  Elements packedRhsPanels();
  void emitGroup(mlir::Value column, const Matrix &panel,
                 mlir::Value panelColumn, mlir::Value begin, mlir::Value depth);
  void emitRegisterTile(unsigned rows, mlir::Value row, mlir::Value column,
                        const Matrix &lhs, const Matrix &panel,
                        mlir::Value depth, mlir::Value share = {});
  void prefetchOutputs(mlir::Value row, mlir::Value column);
  void prefetch(mlir::Value share, mlir::Value k);
  llvm::SmallVector<mlir::Value> multiply(mlir::ValueRange sums, unsigned rows,
                                          mlir::Value k, const Matrix &lhs,
                                          const Matrix &panel);
  llvm::SmallVector<mlir::Value> firstSums(unsigned rows, mlir::Value row,
                                           mlir::Value column);
  bool hasFullArguments();
  void ifLastBlock(llvm::function_ref<void()> build);
  void emitEpilogue(mlir::Value column, mlir::Value width);
  llvm::LogicalResult storeOutputs(const Position &position, unsigned lanes);
  mlir::Value zeroVector();
  mlir::Value sumOffset(mlir::Value row, mlir::Value column,
                        unsigned number = 0);

  KernelFrame &frame;
  Contraction contraction;
  ElementEmitter elements;
  mlir::Type type;
  ContractionSpace space;
  mlir::AffineExpr m, n, k;
  /// The panels that the rhs was packed into ahead; null for a plain matrix.
  tgx::UnpackOp packed;
  /// Whether columns of the lhs, or of the rhs, lie side by side in memory
  /// where a plain matrix has rows.
  bool lhsIsTransposed, rhsIsTransposed;
  ContractionShape shape;
  IntegerOps ops;
  /// Which matrix the tile lies in, as a number and along each group of leading
  /// dimensions.
  mlir::Value matrix;
  llvm::SmallVector<mlir::Value> matrixIndex;
  /// The tile: first row and column, and how many of each.
  mlir::Value firstRow, firstColumn, rows, columns, rowCount, columnCount,
      depthEnd;
  /// Depth of a block, and where the current one begins.
  mlir::Value depthStep, blockBegin;
  /// Rows that full register tiles cover.
  mlir::Value fullRows;
  Elements sums, packedLhs, packedRhs;
  /// The elements that come after the current panel; null to let them come.
  mlir::Value following;
  /// Elements of them that a register tile asks for, and those for one step of
  /// depth.
  mlir::Value shareSize, shareStep;
  /// Whether an op behind the matmul has no element rule.
  bool hasFailed = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONEMITTER_H
