//===- TrueElements.h - elements that are true, counted and listed --------===//
#ifndef TG_DIALECTS_TGX_TRUEELEMENTS_H
#define TG_DIALECTS_TGX_TRUEELEMENTS_H

#include "mlir/IR/MLIRContext.h"

namespace tgx {

/// Lets `tg.nonzero` say by which ops of this dialect it is found.
void attachTrueElements(mlir::MLIRContext *context);

} // namespace tgx

#endif // TG_DIALECTS_TGX_TRUEELEMENTS_H
