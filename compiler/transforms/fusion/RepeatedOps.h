//===- RepeatedOps.h - ops that kernels compute instead of reading --------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_REPEATEDOPS_H
#define TG_COMPILER_TRANSFORMS_FUSION_REPEATEDOPS_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Copies chains of cheap ops into all kernels that use what they give, where
/// these would else read it from memory: the centered values of a batch
/// normalization, of which the gradient takes the product with its scale, and
/// gradients that a relu lets through. The chain begins with what costs the
/// fewest bytes to read there. Nobody writes the result then; no more bytes are
/// read and written in all, nor are more live. Returns the number of values
/// that are in memory no more.
unsigned repeatForAll(FusionPlan &plan, ExtentAnalysis &extents);

/// Copies chains into those kernels that use what they give and read the values
/// anyway with which they begin, whether others need it in memory or not: where
/// an activation let the gradient through, of the batch before its
/// normalization. Returns the number of values that a kernel reads no more.
unsigned repeatForReaders(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_REPEATEDOPS_H
