//===- WorkspaceReport.h - what the memory of a run is made of ------------===//
#ifndef TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H
#define TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H

#include "compiler/library/tables/LevelTables.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// The kernels of each level.
using LevelKernels = std::vector<std::pair<int, EmittedKernels>>;

/// Describes the workspace of each function, in the order of the plan:
/// `header_bytes`, and what kernels and functions of the host need by
/// themselves, of which a run has the most: `scratch`, bytes `per_worker` and
/// `shared`, each the least of some numbers or formulas, and `staging`. Where
/// all of it is known, `one_worker_bytes` is the whole with the arena, for one
/// worker. Fails with a diagnostic where the tables have no room.
llvm::FailureOr<llvm::json::Array>
describeWorkspaces(const ModelPlan &plan, const LevelKernels &levels);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H
