//===- Tgx.h - the tgx dialect: how to run it -----------------------------===//
#ifndef TG_DIALECTS_TGX_TGX_H
#define TG_DIALECTS_TGX_TGX_H

#include "dialects/tg/Tg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tgx {
/// The `algorithm` of a kernel that contracts a packed operand.
inline constexpr llvm::StringLiteral kPanels = "panels";
/// The positions along an axis of a tile of which a convolution of 3x3 may be
/// transformed.
inline constexpr int64_t kWinogradTiles[] = {4, 2};
/// Returns the `algorithm` of a convolution by tiles of `positions` positions
/// along an axis, and the positions of an algorithm; none of others.
llvm::StringRef winogradAlgorithm(int64_t positions);
std::optional<int64_t> winogradTileOf(std::optional<llvm::StringRef> algorithm);
/// The bits of the element in the error cell of a kernel with checks of floats:
/// the cell holds check << kCheckElementBits | element << 1 | is infinite, and
/// the check is its number among those of the kernel.
inline constexpr unsigned kCheckElementBits = 48;
} // namespace tgx

#include "dialects/tgx/TgxDialect.h.inc"
#include "dialects/tgx/TgxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.h.inc"
#include "dialects/tgx/TgxInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.h.inc"

#endif // TG_DIALECTS_TGX_TGX_H
