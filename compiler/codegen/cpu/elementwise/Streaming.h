//===- Streaming.h - stores of large outputs past the caches --------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Stores outputs past the caches where the kernel says that no cache would
/// keep them until they are read, and whole vectors of them can be. A plain
/// store of a line reads it from memory first; a streaming one does not, which
/// leaves a third of the traffic of a copy away.
class Streaming {
public:
  /// Rows of the outputs begin at multiples of `rowElements`, or there is one
  /// row and it is 0; vectors of `lanes` begin at such multiples of a row.
  /// Outputs whose memory would have to be tested, where the code would stand
  /// twice, stream if `canTest`.
  Streaming(KernelFrame &frame, unsigned lanes,
            llvm::ArrayRef<unsigned> outputs, mlir::AffineExpr rowElements,
            bool canTest);

  /// Calls `build` once, or, where the memory is not known to be aligned, for
  /// both outcomes of a test whether it is and is no argument's: an update in
  /// place has its lines in the cache already.
  void emit(llvm::function_ref<void()> build);

  /// Returns the known alignment in bytes of an output whose full vectors are
  /// written by non-temporal stores in the code being built, else 0.
  unsigned alignmentOf(unsigned output) const {
    return isActive && llvm::is_contained(outputs, output)
               ? frame.target.vectorBytes
               : 0;
  }

private:
  mlir::Value buildCondition();
  void emitActive(llvm::function_ref<void()> build);

  KernelFrame &frame;
  /// The outputs that are written by non-temporal stores, and those of them
  /// whose alignment must be tested.
  llvm::SmallVector<unsigned> outputs, unaligned;
  bool isActive = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H
