//===- InvariantWork.h - what is the same in all steps of a loop ----------===//
#ifndef TG_COMPILER_TRANSFORMS_INVARIANTWORK_H
#define TG_COMPILER_TRANSFORMS_INVARIANTWORK_H

#include "dialects/tg/ControlOps.h"

namespace tg {

/// Moves before a loop what no step of it changes and what takes longer to
/// compute than to read: products and sums of no more bytes than they take, and
/// what these are made of. Gives the number of ops that moved.
///
/// What may fail at run time moves out of a scan where its length is known, and
/// not 0.
unsigned moveInvariantWork(ScanOp loop);

/// The condition of a `while` runs once at least. What its body computes stands
/// in a branch before it, under a copy of the condition of the first trip: a
/// loop without trips computes nothing. Where the condition has effects, the
/// body stays as it is.
unsigned moveInvariantWork(WhileOp loop);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_INVARIANTWORK_H
