//===- RecomputedOps.h - recomputation of cheap ops in kernels
//--------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H
#define TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Copies chains of cheap ops into all kernels that use their result and would
/// otherwise read it from memory. Examples are the centered values of a batch
/// normalization, which its gradient multiplies by the scale, and gradients
/// that pass through a relu. The chain begins with the values that cost the
/// fewest bytes to read there. The result is not written then. No more bytes
/// are read and written in all, and no more bytes are live. Returns the number
/// of values that are no longer in memory.
unsigned recomputeForAll(FusionPlan &plan, ExtentAnalysis &extents);

/// Copies chains into those kernels that use their result and read the leaves
/// of the chain anyway, whether or not other kernels need the result in memory.
/// An example is the mask of an activation in its gradient, recomputed from the
/// batch before its normalization. Returns the number of values that kernels no
/// longer read.
unsigned recomputeForReaders(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H
