//===- Checks.h - builders of checks --------------------------------------===//
#ifndef TG_DIALECTS_TGX_CHECKS_H
#define TG_DIALECTS_TGX_CHECKS_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Builds an op that forwards `value` and requires that its elements are finite
/// (with `nanOnly`: no NaN) unless the elements of a source are not, either.
/// `opName` is the op in messages.
ElementCheckOpInterface checkFinite(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value value,
                                    mlir::ValueRange sources,
                                    const llvm::Twine &opName, bool nanOnly);

/// Builds an op that requires what an extent analysis has found that an op
/// requires. `found` and `expected` are the numbers of `check` over the symbols
/// of the function.
ExtentCheckOpInterface checkExtents(mlir::OpBuilder &builder,
                                    const tg::ExtentCheck &check,
                                    mlir::AffineMap found,
                                    mlir::AffineMap expected);

} // namespace tgx

#endif // TG_DIALECTS_TGX_CHECKS_H
