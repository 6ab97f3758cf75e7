//===- NonTemporalStores.h - non-temporal stores of large outputs ---------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_NONTEMPORALSTORES_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_NONTEMPORALSTORES_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Writes outputs by non-temporal stores if the kernel requests it, because no
/// cache would keep them until they are read, and if whole aligned vectors can
/// be stored. A normal store first reads its cache line from memory. A
/// non-temporal store does not, which saves a third of the memory traffic of a
/// copy.
class NonTemporalStores {
public:
  /// `candidates` are the indices of the outputs that may use non-temporal
  /// stores. `rowElements` is the row length of the outputs, or 0 if there is
  /// only one row. Non-temporal stores require that it is a multiple of
  /// `lanes`. Outputs whose alignment must be tested at run time use
  /// non-temporal stores only if `canTest`, because the test duplicates the
  /// code.
  NonTemporalStores(KernelFrame &frame, unsigned lanes,
                    llvm::ArrayRef<unsigned> candidates,
                    mlir::AffineExpr rowElements, bool canTest);

  /// Calls `build` once, or twice if a run-time test is needed: once for each
  /// outcome. The test checks that the outputs are aligned and are not the
  /// memory of an argument, since the cache lines of an in-place update are in
  /// the cache already.
  void emit(llvm::function_ref<void()> build);

  /// Returns the alignment in bytes of an output if the code that is built now
  /// writes its full vectors by non-temporal stores, otherwise 0.
  unsigned alignmentOf(unsigned output) const {
    return isActive && llvm::is_contained(outputs, output)
               ? frame.target.vectorBytes
               : 0;
  }

private:
  mlir::Value buildCondition();
  void emitActive(llvm::function_ref<void()> build);

  KernelFrame &frame;
  /// The outputs that are written by non-temporal stores, and the subset whose
  /// alignment must be tested at run time.
  llvm::SmallVector<unsigned> outputs, unaligned;
  bool isActive = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_NONTEMPORALSTORES_H
