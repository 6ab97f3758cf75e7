//===- GroupedContraction.h - convolutions of groups of channels ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Returns true if the lanes of vectors can be neighbouring channels: windows
/// with groups, or the gradient of a filter to few channels, in f32 or f64 by
/// vector code, both operands straight from arguments.
bool canRunByLanes(const KernelFrame &frame, const Contraction &contraction);

/// Returns true if such a contraction has groups of channels and a result with
/// positions, whose lines may be reduced while they are computed.
bool hasGroupedLines(const Contraction &contraction);

/// Emits a kernel of strategy "contraction" for windows with groups, by the
/// positions of the result or, for the gradient of a filter, by its taps.
llvm::LogicalResult emitGroupedContraction(KernelFrame &frame,
                                           Contraction contraction);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H
