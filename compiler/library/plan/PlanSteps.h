//===- PlanSteps.h - what a plan says of kernels and steps ----------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H
#define TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H

#include "compiler/library/plan/ModelPlan.h"

namespace tg {

/// Notes a kernel and its checks once. Fails with a diagnostic on one with two
/// checks of integers.
llvm::LogicalResult addKernel(tgx::KernelOp kernel, ModelPlan &plan);

/// Notes steps: what they are called, where they come from, and what they cost.
llvm::LogicalResult addLaunch(tgx::LaunchOp launch, FunctionPlan &function,
                              ModelPlan &plan);
void addCopy(tgx::CopyOp copy, FunctionPlan &function, ModelPlan &plan);
void addHost(tgx::HostOp host, FunctionPlan &function, ModelPlan &plan);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_PLANSTEPS_H
