//===- GroupedEmitters.h - emitters of grouped contractions ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// Emits a contraction whose result has positions: a convolution, or the
/// gradient of its input.
llvm::LogicalResult emitGroupedPositions(const GroupedPlan &plan);
/// Emits a contraction that sums over positions: the gradient of a filter.
llvm::LogicalResult emitGroupedFilter(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H
