//===- KernelName.h - what a kernel is called -----------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include <string>

namespace tg {

/// What the ops compute and where they come from: matmul_add_relu__Linear_1,
/// and matmul_select__Linear_1_grad for its gradient. Some of the ops'
/// mnemonics, then the layer of the first op that has one, else the function.
/// Letters, digits and underscores, fewer than 100, and
/// the same for kernels that differ.
std::string kernelName(const Cluster &cluster);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H
