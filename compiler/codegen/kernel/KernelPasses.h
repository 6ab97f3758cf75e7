//===- KernelPasses.h - LLVM's passes for kernels -------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_KERNELPASSES_H
#define TG_COMPILER_CODEGEN_KERNEL_KERNELPASSES_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace tg {

/// Runs the passes of an -O level on a module that has the triple and the data
/// layout of `machine`: at 1 and 2 a short list, because kernels are emitted as
/// vectors and loops that need no vectorizer; at 3 LLVM's default pipeline
/// without its loop vectorizer. If `infersAlignments`, loads and stores get the
/// alignments that follow from assumptions, so that the target may join them.
void runKernelPasses(llvm::Module &module, llvm::TargetMachine &machine,
                     int optimization, bool infersAlignments = false);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_KERNELPASSES_H
