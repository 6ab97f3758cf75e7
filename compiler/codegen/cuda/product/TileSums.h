//===- TileSums.h - the sums of a thread in registers ---------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESUMS_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESUMS_H

#include "compiler/codegen/cuda/product/OperandStage.h"

namespace tg {

/// The memory that the threads of a block share, and who a thread is.
struct TileBlock {
  TileShape tile;
  Elements shared;
  /// The number of the thread in its block, its slice, and its row and column
  /// in the grid of the slice. Threads that only load have a slice beyond the
  /// last.
  mlir::Value thread, slice, threadRow, threadColumn;

  /// Return the row and the column in the tile of one of the thread's results.
  /// Groups of up to four are neighbours, so that they are read together. With
  /// tensor cores the results of a warp are those of its instructions.
  mlir::Value rowOf(IntegerOps ops, unsigned index) const;
  mlir::Value columnOf(IntegerOps ops, unsigned index) const;
};

/// Emits the sums of the results of a thread, in the order of the op, but for
/// the parts that tensor cores add. While a block multiplies the products of
/// one part of the operands, it copies the next part to shared memory, which
/// has room for two parts, or loads it into registers. In a round the slices
/// sum a block of the order each, and then add the sums of all slices to their
/// totals, one after the other.
class TileSums {
public:
  TileSums(KernelContext &context, const ProductMatrix &matrix,
           const TileBlock &block, OperandStage &lhs, OperandStage &rhs);

  /// Returns the sums in row-major order. `blocks` are the nested blocks of the
  /// order.
  llvm::SmallVector<mlir::Value> emit(llvm::ArrayRef<int64_t> blocks);

  /// Returns the number of elements of shared memory that the sums need.
  unsigned countShared() const;

private:
  unsigned partSize() const;
  mlir::Value offsetOf(mlir::Value part);
  bool hasCopies() const { return lhs.isCopied() || rhs.isCopied(); }
  mlir::Value rightOffset();
  void loadFirst();
  void copy(mlir::Value first, mlir::Value part);
  void store(llvm::ArrayRef<mlir::Value> loaded, mlir::Value part);
  llvm::SmallVector<mlir::Value> loadLines(mlir::Value offset,
                                           mlir::Value product, bool isLeft);
  llvm::SmallVector<mlir::Value>
  multiply(mlir::Value offset, mlir::Value product, mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> multiplyMatrices(mlir::Value offset,
                                                  mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> multiplyPart(mlir::Value offset,
                                              mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value>
  multiplySome(mlir::Value offset, mlir::Value number, mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value>
  multiplyUpTo(mlir::Value offset, mlir::Value number, mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> loadNext(mlir::Value part);
  mlir::Value firstProductOf(mlir::Value part);
  mlir::Value findLastPart();
  llvm::SmallVector<mlir::Value>
  sumPart(mlir::Value part, mlir::ValueRange sums, mlir::Value number = {});
  llvm::SmallVector<mlir::Value> makeZeros();
  llvm::SmallVector<mlir::Value> sumChain(mlir::Value begin, mlir::Value end);
  llvm::SmallVector<mlir::Value> sumSlice(mlir::Value begin, mlir::Value end);
  void addSlices(llvm::ArrayRef<mlir::Value> sums, mlir::Value active,
                 llvm::SmallVectorImpl<mlir::Value> &totals);
  llvm::SmallVector<mlir::Value> sumRounds(mlir::Value begin, mlir::Value end);
  llvm::SmallVector<mlir::Value> sumBlocks(llvm::ArrayRef<int64_t> blocks,
                                           mlir::Value begin, mlir::Value end);

  KernelContext &context;
  IntegerOps ops;
  const TileBlock &block;
  OperandStage &lhs, &rhs;
  mlir::Type type;
  /// The number of products of a sum.
  mlir::AffineExpr count;
  /// The first offset in shared memory behind both parts.
  unsigned sumsOffset;
  /// The types of the elements of a part that a thread loads, and the number of
  /// those of the lhs.
  llvm::SmallVector<mlir::Type> loadedTypes;
  size_t leftCount = 0;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESUMS_H
