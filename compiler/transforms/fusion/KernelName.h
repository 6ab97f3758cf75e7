//===- KernelName.h - names of kernels ------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include <string>

namespace tg {

/// Returns a name that says what the ops compute and where they come from:
/// matmul_add_relu__Linear_1, and matmul_select__Linear_1_grad for its
/// gradient. The name consists of some of the ops' mnemonics, and of the layer
/// of the first op that has one, else the function. It has letters, digits and
/// underscores, fewer than 100. Different kernels may have the same name.
std::string kernelName(const Cluster &cluster);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELNAME_H
