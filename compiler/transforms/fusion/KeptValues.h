//===- KeptValues.h - what is kept from the forward to the backward pass --===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KEPTVALUES_H
#define TG_COMPILER_TRANSFORMS_FUSION_KEPTVALUES_H

#include "compiler/transforms/fusion/FusionPlan.h"

namespace tg {

/// Keeps fewer bytes where most are live, between the forward and the backward
/// pass of a training step. What kernels before that place give to kernels
/// behind it is a cut through the graph of values; the smallest one from which
/// cheap ops make the others is kept (Jain et al., "Checkmate"; the
/// partitioner of AOTAutograd). The others are computed again by kernels that
/// use them, and read by the rest from one of these, as long as no more bytes
/// are read and written in all. Returns the number of values that are not kept.
unsigned keepLess(FusionPlan &plan, ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KEPTVALUES_H
