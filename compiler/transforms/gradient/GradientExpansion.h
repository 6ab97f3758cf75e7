//===- GradientExpansion.h - expansion of one gradient request ------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H

#include "dialects/tg/ops/control/GradientOps.h"

namespace tg {

/// Replaces a request by ordinary ops, which are built before it. The pass
/// tg-expand-gradients calls this for each request. The request must be at the
/// top level of a function, and its target must not depend on another request.
/// Fails with diagnostics; ops that were already built then stay.
llvm::LogicalResult expandGradient(GradientOp request);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H
