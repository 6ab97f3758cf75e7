//===- PlanTables.h - the constant tables of a plan -----------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_PLANTABLES_H
#define TG_COMPILER_LIBRARY_TABLES_PLANTABLES_H

#include "compiler/library/Library.h"
#include "compiler/library/plan/ModelPlan.h"
#include "compiler/library/tables/TableBuilder.h"

namespace tg {

/// Emits the tables that the targets of a plan share, and adds the tg_model_t
/// of each target to `models`. `targetBits` is tg_model_t.targets. Emits a
/// diagnostic and fails if a limit of the tables is exceeded.
llvm::LogicalResult emitPlanTables(const ModelPlan &plan,
                                   const LibraryOptions &options,
                                   uint32_t targetBits, TableBuilder &table,
                                   llvm::SmallVector<llvm::Constant *> &models);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_PLANTABLES_H
