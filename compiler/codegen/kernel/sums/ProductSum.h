//===- ProductSum.h - sums of products of any contraction -----------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTSUM_H
#define TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTSUM_H

#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/sums/ContractionPoint.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"

namespace tg {

/// Sets the indices of a point that the result of the contraction has to those
/// at a position. An index of several dimensions counts them in row-major
/// order.
void setPoint(ContractionPoint &point, const Contraction &contraction,
              IntegerOps ops, const Position &position);

/// Emits the sums of one contraction of any maps and types, in the order of its
/// op.
class ProductSum {
public:
  ProductSum(ElementEmitter &elements, const Contraction &contraction,
             unsigned lanes)
      : elements(elements), context(elements.context), ops(context.integers()),
        contraction(contraction), lanes(lanes),
        reduced(contraction.dimensionsOf(DimensionKind::reduced)),
        lineDimensions(blocksCountLines(contraction) ? 1 : 0),
        point(context, contraction) {}

  /// Returns the sums of `lanes` results from `position` on, or null if there
  /// is no vector form.
  mlir::Value emit(const Position &position);
  /// Returns the sum at a position of one chain: of the products from number
  /// `begin` to `end`, or of the lines if blocks count lines. There is one
  /// lane.
  mlir::Value emitChain(const Position &position, mlir::Value begin,
                        mlir::Value end);
  /// Returns the number of products, or of lines, of a sum.
  mlir::Value count();

private:
  bool findPoint(const Position &position);
  mlir::Value multiplyAtPoint(mlir::Value sum);
  llvm::SmallVector<mlir::Value> sumOver(llvm::ArrayRef<unsigned> dimensions,
                                         mlir::ValueRange sum);
  mlir::Value sumBlocks(llvm::ArrayRef<int64_t> blocks, mlir::Value begin,
                        mlir::Value end, mlir::Type type);
  bool hasVectorForm(const ContractionTensor &tensor) const;
  mlir::Value element(const ContractionTensor &tensor);
  mlir::Type elementType(mlir::Type type) const;

  ElementEmitter &elements;
  KernelContext &context;
  IntegerOps ops;
  const Contraction &contraction;
  unsigned lanes;
  /// The reduced dimensions, and how many of the last ones form a line if
  /// blocks count lines.
  llvm::SmallVector<unsigned> reduced;
  unsigned lineDimensions;
  ContractionPoint point;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTSUM_H
