//===- SlicedSum.h - sums that several threads of a block share -----------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_SLICEDSUM_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_SLICEDSUM_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Returns the number of threads that share each sum of a contraction of any
/// maps: they compute different blocks of the order. 1 if the order has no
/// blocks, or if there are enough results for a thread each.
unsigned findSumThreads(ThreadFrame &frame, const Contraction &contraction);

/// Emits a kernel in which `threads` threads of a block share each sum, and the
/// ops behind the contraction.
llvm::LogicalResult emitSlicedSum(ThreadFrame &frame,
                                  const Contraction &contraction,
                                  unsigned threads);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_SLICEDSUM_H
