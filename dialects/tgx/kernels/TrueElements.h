//===- TrueElements.h - how tg.nonzero finds elements that are true -------===//
#ifndef TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
#define TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H

#include "mlir/IR/BuiltinTypes.h"

namespace tgx {

/// One number for each part of a tensor, as `tgx.count_true` gives them:
/// tensor<?xi64>, or static.
mlir::RankedTensorType typeOfParts(mlir::RankedTensorType input);

/// Lets `tg.nonzero` say by which ops of this dialect it is found, and
/// `tg.gather` at such places alone that it needs no list of them.
void attachTrueElements(mlir::MLIRContext *context);

} // namespace tgx

#endif // TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
