//===- Checks.h - builders of checks --------------------------------------===//
#ifndef TG_DIALECTS_TGX_CHECKS_H
#define TG_DIALECTS_TGX_CHECKS_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Builds an op that requires what an extent analysis has found that an op
/// requires. `found` and `expected` are the numbers of `check` over the symbols
/// of the function.
ExtentCheckOpInterface checkExtents(mlir::OpBuilder &builder,
                                    const tg::ExtentCheck &check,
                                    mlir::AffineMap found,
                                    mlir::AffineMap expected);

} // namespace tgx

#endif // TG_DIALECTS_TGX_CHECKS_H
