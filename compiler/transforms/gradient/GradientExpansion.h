//===- GradientExpansion.h - one request for gradients --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H
#define TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H

#include "dialects/tg/ops/control/GradientOps.h"

namespace tg {

/// Replaces a request by ordinary ops, which are built before it: what the pass
/// tg-expand-gradients does for each. It stands at the top level of a function,
/// and its target follows from no other request. Fails with diagnostics; ops
/// that were built then stay.
llvm::LogicalResult expandGradient(GradientOp request);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_GRADIENT_GRADIENTEXPANSION_H
