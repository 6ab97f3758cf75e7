//===- EmittedKernel.h - what a library knows of an emitted kernel --------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H
#define TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H

#include "mlir/IR/AffineMap.h"
#include <string>

namespace tg {

/// The record of an emitted kernel for the library.
struct EmittedKernel {
  /// Name of the kernel's code.
  std::string name;
  /// Scratch bytes of one worker over the kernel's symbols, a multiple of the
  /// alignment: the least of the results. Null when none is needed.
  mlir::AffineMap scratchBytes;
  /// The same of memory in which tiles leave results for a combining stage that
  /// runs when all are done. Null without such a stage.
  mlir::AffineMap sharedBytes;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_EMITTEDKERNEL_H
