//===- SavedValues.h - values saved for the backward pass
//------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H
#define TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Saves fewer bytes at the peak of live memory, between the forward and the
/// backward pass of a training step. The values that kernels before that place
/// pass to kernels behind it are a cut through the graph of values. The
/// smallest cut from which cheap ops compute the other values is saved (Jain et
/// al., "Checkmate"; the partitioner of AOTAutograd). The kernels that use the
/// other values compute them again, and one of these kernels writes them for
/// the remaining readers, as long as no more bytes are read and written in all.
/// Returns the number of values that are not saved any more.
unsigned keepLess(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H
