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

/// The part of an operand that a block of threads reads at a time: some
/// products of each line of the tile, of the block of each slice. It lies in
/// shared memory as [product, line]. Each thread loads as many elements as the
/// others: neighbours along the products or along the lines, whichever are
/// neighbours in the memory of the operand. Neighbouring threads load the rest
/// of a sector of memory, or the next lines.
class OperandStage {
public:
  /// `thread` is the number of the thread in its block, `firstLine` the first
  /// line of the tile, and `batch` a point whose indices of the batch
  /// dimensions are set.
  OperandStage(ElementEmitter &elements, const ProductMatrix &matrix,
               StagedOperand operand, const ContractionPoint &batch,
               mlir::Value thread, mlir::Value firstLine);

  /// Returns true if the elements go to shared memory by `copy`, without a way
  /// through registers.
  bool isCopied() const { return copies; }
  /// Begins to copy the thread's elements of the products from `first` on, in
  /// the block of slice 0, to shared memory from element `offset` on. Elements
  /// beyond the last line or product have any value.
  void copy(mlir::Value first, const Elements &shared, mlir::Value offset);
  /// Loads the same elements into registers, unless they are copied. Those
  /// beyond the last product are 0 for tensor cores.
  llvm::SmallVector<mlir::Value> load(mlir::Value first);
  /// Stores the loaded elements in shared memory from element `offset` on.
  void store(llvm::ArrayRef<mlir::Value> loaded, const Elements &shared,
             mlir::Value offset);
  /// Returns the distance in shared memory between a product and the next, for
  /// each line one element and some that no thread uses.
  unsigned getStride() const;

private:
  /// Neighbouring elements that a thread loads together, as the number of the
  /// first product and line in the part. The products of a slice follow those
  /// of the slice before.
  struct Group {
    mlir::Value product, line;
  };

  void chooseGroupSize();
  bool canCopy() const;
  void chooseCopies();
  void placeAlongProducts();
  void placeAlongLines();
  mlir::Value productOf(const Group &group, mlir::Value first);
  bool hasMissingProducts() const;
  bool canJoin() const;
  PointElement elementOf(const Group &group, mlir::Value beginning);
  mlir::Value placeOf(const Group &group, mlir::Value offset);
  void enterActive();
  mlir::Value addressAt(Position position);
  llvm::SmallVector<mlir::Value> loadNeighbours(const Position &position);
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
  /// The number among the active threads of the one whose elements the thread
  /// loads, its own unless it has none.
  mlir::Value place;
  /// True if the elements of a group are products of one line.
  bool isAlongProducts = false;
  unsigned groupSize = 1;
  /// True if one instruction loads or copies a group.
  bool isJoined = false;
  bool copies = false;
  /// The number of elements of each thread, and of the threads that have some.
  unsigned perThread = 1, activeThreads = 0;
  llvm::SmallVector<Group> groups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_OPERANDSTAGE_H
