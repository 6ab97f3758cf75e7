//===- LineSum.h - the sum of a line in one thread ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_LINESUM_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_LINESUM_H

#include "compiler/codegen/cuda/reduction/ChainFold.h"

namespace tg {

/// Emits the sum of a line in the order of its lanes, accumulators and blocks,
/// by a thread that adds one element after the other: the elements of one lane
/// of one accumulator, then those of the next. Each level is a loop, so the
/// code of an element is emitted once, and few partial sums are live.
class LineSum {
public:
  /// Returns the terms of an element of the line.
  using ElementBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value element)>;

  /// `extent` is the number of elements of the line.
  LineSum(KernelContext &context, Accumulators &sums, const LineChains &chains,
          mlir::AffineExpr extent)
      : context(context), sums(sums), chains(chains), extent(extent) {}

  /// Returns the combined terms of the line.
  llvm::SmallVector<mlir::Value> emit(ElementBuilder buildElement);

private:
  using ValueBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index)>;
  llvm::SmallVector<mlir::Value> foldPairs(int64_t count, ValueBuilder value);
  llvm::SmallVector<mlir::Value> sumLane(mlir::Value lane, mlir::Value begin,
                                         mlir::Value end);
  llvm::SmallVector<mlir::Value> sumLanes(mlir::Value begin, mlir::Value end);
  mlir::Value reverseBits(mlir::Value number, int64_t count);

  KernelContext &context;
  Accumulators &sums;
  const LineChains &chains;
  mlir::AffineExpr extent;
  ElementBuilder build;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_LINESUM_H
