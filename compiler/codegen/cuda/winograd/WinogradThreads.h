//===- WinogradThreads.h - a thread for each Winograd tile ----------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADTHREADS_H
#define TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADTHREADS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Emits a kernel with a contraction whose order has Winograd's tiles. A thread
/// computes all positions of a tile for one column, or all taps of a filter's
/// gradient for one channel and column; in kernels that reduce the result it
/// reduces one group. Fails with a diagnostic if Winograd tiles cannot compute
/// the contraction.
llvm::LogicalResult emitWinograd(ThreadFrame &frame,
                                 const Contraction &contraction);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADTHREADS_H
