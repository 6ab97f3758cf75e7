//===- ContractionSpace.h - the iteration space of a contraction ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSPACE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSPACE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The iteration space of a contraction: its result as a batch of matrices of
/// rows x columns elements.
///
/// The rows are the last row dimension and the dimensions directly before it
/// along which the rows of the lhs are contiguous, so that products with one
/// rhs become one product. All other leading dimensions are batch dimensions.
/// With windows, all leading dimensions are rows.
class ContractionSpace {
public:
  /// `contraction` is a product of matrices or has windows, and must outlive
  /// this object.
  ContractionSpace(KernelFrame &frame, const Contraction &contraction);

  mlir::AffineExpr countMatrices() const;
  mlir::AffineExpr getRows() const;
  mlir::AffineExpr getColumns() const { return extents.back(); }
  /// Returns the product of the reduced extents.
  mlir::AffineExpr getReduced() const;
  /// Return the dimensions of the iteration space that the rows, the columns
  /// and the sum of one matrix lie along.
  unsigned getRowDimension() const { return extents.size() - 2; }
  unsigned getColumnDimension() const { return extents.size() - 1; }
  unsigned getReducedDimension() const { return extents.size(); }

  /// Delinearizes the index of a matrix: returns its index in each group of
  /// leading dimensions.
  llvm::SmallVector<mlir::Value> split(mlir::Value matrix) const;
  /// Returns the linear index of the first element of an operand's matrix.
  mlir::Value startOf(const ContractionTensor &operand,
                      llvm::ArrayRef<mlir::Value> matrix) const;
  /// Returns the position in the result of `lanes` elements from `column` on.
  Position position(llvm::ArrayRef<mlir::Value> matrix, mlir::Value row,
                    mlir::Value column, unsigned lanes) const;

private:
  IterationSpace makeSpace() const;

  KernelFrame &frame;
  const Contraction &contraction;
  /// The extents of the result.
  llvm::ArrayRef<mlir::AffineExpr> extents;
  /// The first row dimension. The dimensions before it are batch dimensions.
  unsigned firstRowAxis;
  IterationSpace space;
  llvm::SmallVector<unsigned> matrixGroups, rowGroups, columnGroups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSPACE_H
