//===- ElementLoops.h - loops that store elements of a kernel's outputs ---===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_ELEMENTLOOPS_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_ELEMENTLOOPS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Emits all loops of a kernel whose outputs have equal extents. Takes the
/// elements of the outputs from `elements`. A tile has about `tileElements`
/// elements.
llvm::LogicalResult emitElementLoops(KernelFrame &frame,
                                     ElementEmitter &elements,
                                     int64_t tileElements);

/// Same, for a kernel with parts, each of which has loops of its own.
llvm::LogicalResult emitPartLoops(KernelFrame &frame, int64_t tileElements);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_ELEMENTLOOPS_H
