//===- RepeatedOps.h - ops that kernels compute instead of reading --------===//
#ifndef TG_COMPILER_TRANSFORMS_REPEATEDOPS_H
#define TG_COMPILER_TRANSFORMS_REPEATEDOPS_H

#include "compiler/transforms/FusionPlan.h"

namespace tg {

/// Copies cheap ops into all kernels that use what they give, where these would
/// else read it from memory: an elementwise op of one value that lies in memory
/// anyway, and of smaller ones. Who reads the result can as well read that
/// value, and nobody writes the result: the centered values of a batch
/// normalization, of which the gradient takes the product with its scale.
/// A kernel that reads a value anyway computes what a few cheap ops make of it,
/// whether others need that in memory or not: where an activation let the
/// gradient through, of the batch before its normalization. Neither more bytes
/// are read nor more are live. Returns the number of values that kernels
/// compute instead of reading them.
unsigned repeatCheapOps(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_REPEATEDOPS_H
