//===- TrueElements.h - how tg.nonzero finds elements that are true -------===//
#ifndef TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
#define TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H

#include "mlir/IR/BuiltinTypes.h"

namespace tgx {

/// Returns the type of one number for each part of a tensor, as
/// `tgx.count_true` computes them: tensor<?xi64>, or static.
mlir::RankedTensorType typeOfParts(mlir::RankedTensorType input);

/// Attaches the interface by which `tg.nonzero` is computed with ops of this
/// dialect, and the one by which a `tg.gather` that alone uses these positions
/// needs no list of them.
void attachTrueElements(mlir::MLIRContext *context);

} // namespace tgx

#endif // TG_DIALECTS_TGX_KERNELS_TRUEELEMENTS_H
