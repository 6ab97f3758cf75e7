//===- ContractionSpace.h - products as matrices of rows and columns ------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONSPACE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONSPACE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/ContractionOps.h"

namespace tg {

/// The result of a matmul as `matrices` times `rows` x `columns` elements.
///
/// Leading dimensions just before the rows that the rhs does not have are rows,
/// too, if the rows of the lhs follow each other through them: products with
/// one rhs become one product. All other leading dimensions count matrices.
class ContractionSpace {
public:
  ContractionSpace(KernelFrame &frame, MatmulOp matmul);

  mlir::AffineExpr getMatrices() const;
  mlir::AffineExpr getRows() const;
  mlir::AffineExpr getColumns() const { return extents.back(); }
  /// The extent that both operands share.
  mlir::AffineExpr getDepth() const { return depth; }

  /// The index of a matrix in each group of leading dimensions, from its
  /// number.
  llvm::SmallVector<mlir::Value> split(mlir::Value matrix) const;
  /// The number of the first element of an operand's matrix.
  mlir::Value startOf(mlir::Value operand,
                      llvm::ArrayRef<mlir::Value> matrix) const;
  /// The position in the result of elements from `column` on.
  Position position(llvm::ArrayRef<mlir::Value> matrix, mlir::Value row,
                    mlir::Value column, unsigned lanes) const;

private:
  IterationSpace makeSpace(MatmulOp matmul) const;

  KernelFrame &frame;
  /// The extents of the result.
  llvm::ArrayRef<mlir::AffineExpr> extents;
  mlir::AffineExpr depth;
  /// The first dimension that makes rows.
  unsigned firstRowAxis;
  IterationSpace space;
  llvm::SmallVector<unsigned> matrixGroups, rowGroups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_CONTRACTIONSPACE_H
