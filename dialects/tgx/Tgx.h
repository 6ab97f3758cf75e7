//===- Tgx.h - the tgx dialect: how to run it -----------------------------===//
#ifndef TG_DIALECTS_TGX_TGX_H
#define TG_DIALECTS_TGX_TGX_H

#include "dialects/tg/Tg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tgx {
/// What `algorithm` of a kernel may say: a contraction of a packed operand, or
/// a convolution by transformed tiles.
inline constexpr llvm::StringLiteral kPanels = "panels", kWinograd = "winograd";
} // namespace tgx

#include "dialects/tgx/TgxDialect.h.inc"
#include "dialects/tgx/TgxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.h.inc"
#include "dialects/tgx/TgxInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.h.inc"

#endif // TG_DIALECTS_TGX_TGX_H
