//===- Checks.h - builders of checks --------------------------------------===//
#ifndef TG_DIALECTS_TGX_CHECKS_H
#define TG_DIALECTS_TGX_CHECKS_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Builds an op that forwards `value` and checks that its elements are finite;
/// with `nanOnly`, that they are not NaN. A NaN passes if it was computed from
/// a NaN in `sources`, and an infinity passes if it was computed from a NaN or
/// an infinity there. Messages name the op `opName`.
ElementCheckOpInterface checkFinite(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value value,
                                    mlir::ValueRange sources,
                                    const llvm::Twine &opName, bool nanOnly);

/// Builds the op for a check that an extent analysis recorded. `found` and
/// `expected` are the numbers that the check compares, over the symbols of the
/// function.
ExtentCheckOpInterface checkExtents(mlir::OpBuilder &builder,
                                    const tg::ExtentCheck &check,
                                    mlir::AffineMap found,
                                    mlir::AffineMap expected);

} // namespace tgx

#endif // TG_DIALECTS_TGX_CHECKS_H
