//===- SavedValues.h - values saved for the backward pass -----------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H
#define TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Reduces the live memory at its peak, which lies between the forward and the
/// backward pass of a training step. The values that kernels before the peak
/// pass to kernels after it are a cut through the graph of values. Saves only
/// the cheapest cut from which cheap ops can recompute the other values (Jain
/// et al., "Checkmate"; the partitioner of AOTAutograd). Kernels that use an
/// unsaved value recompute it, or one of them recomputes it and writes it to
/// memory for the remaining readers. The total of bytes read and written does
/// not grow. Returns the number of values that are no longer saved.
unsigned saveFewerValues(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_SAVEDVALUES_H
