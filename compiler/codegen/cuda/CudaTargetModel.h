//===- CudaTargetModel.h - what passes ask about NVIDIA GPUs --------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CUDATARGETMODEL_H
#define TG_COMPILER_CODEGEN_CUDA_CUDATARGETMODEL_H

#include "compiler/target/TargetModel.h"

namespace tg {

/// Returns the model of NVIDIA GPUs, of kind "cuda".
const TargetModel &getCudaTargetModel();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_CUDATARGETMODEL_H
