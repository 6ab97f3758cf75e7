//===- CpuTargetModel.h - what passes ask about CPUs ----------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CPUTARGETMODEL_H
#define TG_COMPILER_CODEGEN_CPU_CPUTARGETMODEL_H

#include "compiler/target/TargetModel.h"

namespace tg {

/// Returns the model of x86-64 CPUs. All ISA levels share a plan.
const TargetModel &getCpuTargetModel();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CPUTARGETMODEL_H
