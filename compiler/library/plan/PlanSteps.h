//===- PlanSteps.h - the kernels and steps of a plan ----------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H
#define TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H

#include "compiler/library/plan/ModelPlan.h"

namespace tg {

/// Adds a kernel with its checks to the plan, unless the plan has it already.
void addKernel(tgx::KernelOp kernel, ModelPlan &plan);

/// Add a step to the plan of a function: its name, source locations and cost.
llvm::LogicalResult addLaunch(tgx::LaunchOp launch, FunctionPlan &function,
                              ModelPlan &plan);
void addCopy(tgx::CopyOp copy, FunctionPlan &function, ModelPlan &plan);
void addHost(tgx::HostOp host, FunctionPlan &function, ModelPlan &plan);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H
