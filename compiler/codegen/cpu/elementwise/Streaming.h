//===- Streaming.h - stores of large outputs past the caches --------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Decides which outputs of a kernel are stored past the caches: those that no
/// cache would keep until they are read. A plain store of a line reads it from
/// memory first; a streaming one does not, which leaves a third of the traffic
/// of a copy away.
class Streaming {
public:
  /// Rows of the outputs begin at multiples of `rowElements`, or there is one
  /// row and it is 0; vectors of `lanes` begin at such multiples of a row.
  Streaming(KernelFrame &frame, unsigned lanes,
            llvm::ArrayRef<unsigned> outputs, mlir::AffineExpr rowElements);

  /// Calls `build` once, or for both outcomes of a test whether the outputs'
  /// memory is aligned and no argument's: an update in place has its lines in
  /// the cache already.
  void emit(llvm::function_ref<void()> build);

  /// Whether full vectors of an output stream in the code being built.
  bool streams(unsigned output) const {
    return isActive && llvm::is_contained(outputs, output);
  }

private:
  mlir::Value buildCondition();

  KernelFrame &frame;
  llvm::SmallVector<unsigned> outputs;
  bool isActive = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_STREAMING_H
