//===- ReductionEmitters.h - the code of each form of a reduction ---------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONEMITTERS_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONEMITTERS_H

#include "compiler/codegen/cuda/reduction/ReductionForm.h"

namespace tg {

/// Emit a kernel in one of the forms of ReductionForm.
void emitSerialReduction(GroupElements &group);
void emitKeptReduction(GroupElements &group, const ReductionForm &form);
void emitWarpReduction(GroupElements &group, const ReductionForm &form);
void emitColumnReduction(GroupElements &group, const ReductionForm &form);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_REDUCTIONEMITTERS_H
