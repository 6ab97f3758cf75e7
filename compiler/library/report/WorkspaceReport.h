//===- WorkspaceReport.h - the memory that a run needs --------------------===//
#ifndef TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H
#define TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H

#include "compiler/library/tables/TargetTables.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// The emitted kernels of each ISA level.
using TargetKernels = std::vector<std::pair<int, EmittedKernels>>;

/// Describes the workspace of each function, in the order of the plan:
/// `header_bytes`, and the temporary memory of kernels and host functions. A
/// run needs the maximum of the latter. `scratch` lists, for each kernel, the
/// bytes of scratch memory `per_worker` and of the partials buffer that all
/// workers share (`shared`). Each is a list of numbers or formulas, whose
/// minimum is the size. `staging` lists the bytes of host calls. On a device,
/// `copies` lists what a run also needs, all together: the copies of inputs and
/// outputs in host memory, and the report of errors between them. If all of
/// these are constants, `one_worker_bytes` is the whole size with the arena for
/// one worker. Emits a diagnostic and fails if a limit of the tables is
/// exceeded.
llvm::FailureOr<llvm::json::Array>
describeWorkspaces(const ModelPlan &plan, const TargetKernels &levels);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_REPORT_WORKSPACEREPORT_H
