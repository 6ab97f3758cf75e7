//===- TrueElements.h - the positions of true elements for tg.nonzero -----===//
#ifndef TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
#define TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H

#include "mlir/IR/BuiltinTypes.h"

namespace tgx {

/// Returns the type of the result of `tgx.count_true`, which has one count for
/// each part of the input: tensor<?xi64>, or static.
mlir::RankedTensorType typeOfParts(mlir::RankedTensorType input);

/// Attaches two interfaces: one computes `tg.nonzero` with ops of this dialect,
/// and one computes a `tg.gather` that is the only user of the positions
/// without a list of them.
void attachTrueElements(mlir::MLIRContext *context);

} // namespace tgx

#endif // TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
