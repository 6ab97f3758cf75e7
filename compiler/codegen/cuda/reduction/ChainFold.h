//===- ChainFold.h - the chains of a line in several threads --------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_CHAINFOLD_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_CHAINFOLD_H

#include "compiler/codegen/kernel/sums/Accumulators.h"
#include "dialects/tg/Tg.h"

namespace tg {

/// The chains of a line: one for each lane of each accumulator that has an
/// element. Element i of a step belongs to chain i.
struct LineChains {
  /// `extent` is the number of elements of the line.
  LineChains(OrderAttr order, mlir::AffineExpr extent);

  /// Returns the number of chains, which is that of the elements of a step.
  int64_t count() const { return lanes * accumulators; }

  int64_t lanes, accumulators;
  /// The sizes in elements of the blocks that fill accumulators, and of the
  /// blocks that become one number.
  llvm::SmallVector<int64_t> laneBlocks, numberBlocks;
};

/// Combines the chains of a line into one number. They are divided among
/// threads of a warp: thread t has the chains t, t + threads, and so on. Lists
/// have the terms of each chain of a thread, one chain after the other.
class ChainFold {
public:
  /// `threads` is at most the number of chains and of the threads of a warp,
  /// and it is 1 or at least the number of lanes.
  ChainFold(KernelContext &context, Accumulators &sums,
            const LineChains &chains, unsigned threads);

  /// Returns the number of chains of a thread.
  unsigned countPerThread() const { return chains.count() / threads; }
  /// Combines accumulators, neighbours first, until one is left.
  llvm::SmallVector<mlir::Value> foldAccumulators(mlir::ValueRange terms) const;
  /// Combines the upper half of the lanes with the lower half until one is
  /// left. All threads of the warp return its terms.
  llvm::SmallVector<mlir::Value> foldLanes(mlir::ValueRange terms) const;

private:
  llvm::SmallVector<mlir::Value> combineAt(mlir::ValueRange terms,
                                           int64_t distance) const;

  KernelContext &context;
  Accumulators &sums;
  const LineChains &chains;
  unsigned threads;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_CHAINFOLD_H
