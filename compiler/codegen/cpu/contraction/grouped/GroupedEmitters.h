//===- GroupedEmitters.h - the two kinds of contractions of groups --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// The result has positions: convolutions, and the gradients of their inputs.
llvm::LogicalResult emitGroupedPositions(const GroupedPlan &plan);
/// The sum runs over positions: the gradients of their filters.
llvm::LogicalResult emitGroupedFilter(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDEMITTERS_H
