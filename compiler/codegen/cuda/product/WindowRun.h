//===- WindowRun.h - neighbouring windows of one thread -------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_WINDOWRUN_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_WINDOWRUN_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The results of one thread: neighbours along a row dimension whose windows
/// overlap. The thread loads each element of the windows and of the rhs once
/// for all of them.
struct WindowRun {
  /// Dimensions of the iteration space: that of the run, and the last reduced
  /// one, which moves within a window.
  unsigned position, tap;
  /// The factors of both in an index of the lhs.
  int64_t positionFactor, tapFactor;
  /// The number of positions, of taps, and of results of a thread.
  int64_t positions, taps, width;
};

/// Returns the run of a contraction whose sums are chains; none if its windows
/// do not overlap or if there are too few results.
std::optional<WindowRun> findWindowRun(ThreadFrame &frame,
                                       const Contraction &contraction);

/// Emits a kernel whose threads compute a run each, and the ops behind the
/// contraction.
llvm::LogicalResult emitWindowRun(ThreadFrame &frame,
                                  const Contraction &contraction,
                                  const WindowRun &run);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_WINDOWRUN_H
