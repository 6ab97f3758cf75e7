//===- OperandStage.h - parts of an operand in shared memory --------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_OPERANDSTAGE_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_OPERANDSTAGE_H

#include "compiler/codegen/cuda/product/TileShape.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/sums/ContractionPoint.h"

namespace tg {

/// An operand of a contraction as a matrix of products x lines, where lines are
/// the rows or the columns of the result.
struct StagedOperand {
  const ContractionTensor &tensor;
  /// The dimensions that count lines.
  llvm::ArrayRef<unsigned> lineDimensions;
  /// The tile, and the number of its lines.
  TileShape tile;
  unsigned lines;
};

/// The part of an operand that a block of threads reads at a time: kDepth
/// products of each line of the tile. It lies in shared memory as [product,
/// line]. Each thread loads as many elements as the others: neighbours along
/// the products or along the lines, whichever are neighbours in the memory of
/// the operand.
class OperandStage {
public:
  /// `thread` is the number of the thread in its block, `firstLine` the first
  /// line of the tile, and `batch` a point whose indices of the batch
  /// dimensions are set.
  OperandStage(ElementEmitter &elements, const ProductMatrix &matrix,
               StagedOperand operand, const ContractionPoint &batch,
               mlir::Value thread, mlir::Value firstLine);

  /// Loads the thread's elements of the products from `first` on into
  /// registers. Elements beyond the last line have any value, and so have those
  /// beyond the last product, which are 0 for tensor cores.
  llvm::SmallVector<mlir::Value> load(mlir::Value first);
  /// Stores the loaded elements in shared memory from element `offset` on.
  void store(llvm::ArrayRef<mlir::Value> loaded, const Elements &shared,
             mlir::Value offset);

private:
  /// Neighbouring elements that a thread loads together, as the number of the
  /// first product and line in the part.
  struct Group {
    mlir::Value product, line;
  };

  void chooseGroups();
  std::optional<unsigned> findContiguousDimension() const;
  mlir::Value clamp(mlir::Value number, mlir::AffineExpr count, int64_t size);
  void loadGroup(const Group &group, mlir::Value first,
                 llvm::SmallVectorImpl<mlir::Value> &loaded);
  llvm::SmallVector<mlir::Value>
  clearMissing(llvm::SmallVector<mlir::Value> loaded, mlir::Value product);

  ElementEmitter &elements;
  KernelContext &context;
  const ProductMatrix &matrix;
  StagedOperand operand;
  const ContractionPoint &batch;
  mlir::Value thread, firstLine;
  /// True if the elements of a group are products of one line.
  bool isAlongProducts = false;
  unsigned groupSize = 1;
  llvm::SmallVector<Group> groups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_OPERANDSTAGE_H
