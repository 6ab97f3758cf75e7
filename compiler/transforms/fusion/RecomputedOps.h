//===- RecomputedOps.h - recomputation of cheap ops in kernels ------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H
#define TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Copies chains of cheap ops into all kernels that use their result and would
/// otherwise read it from memory. Examples are the centered values of a batch
/// normalization, which its gradient multiplies by the scale, and gradients
/// that pass through a relu. A chain starts from the values that cost the
/// fewest bytes to read. Its result is then no longer written to memory.
/// Neither the total of bytes read and written nor the number of live bytes
/// grows. Returns the number of values that are no longer in memory.
unsigned recomputeForAll(FusionPlan &plan, ExtentAnalysis &extents);

/// Copies chains into those kernels that use their result and read the leaves
/// of the chain in any case, even if other kernels need the result in memory.
/// An example is the mask of an activation in its gradient, recomputed from the
/// batch before its normalization. Returns the number of values that kernels no
/// longer read.
unsigned recomputeForReaders(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_RECOMPUTEDOPS_H
