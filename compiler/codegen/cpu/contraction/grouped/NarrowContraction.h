//===- NarrowContraction.h - convolutions to few channels -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWCONTRACTION_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Returns true if the lanes of vectors should be neighbouring positions of a
/// line: a convolution, or the gradient of an input, whose result has so few
/// channels that vectors of them would be empty for the most part, in f32 or
/// f64 by vector code, both operands straight from arguments. Lines have known
/// lengths, and windows meet neighbouring elements of them.
bool canRunByPositions(const KernelFrame &frame,
                       const Contraction &contraction);

/// Emits a kernel of strategy "contraction" for these.
llvm::LogicalResult emitNarrowContraction(KernelFrame &frame,
                                          Contraction contraction);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWCONTRACTION_H
