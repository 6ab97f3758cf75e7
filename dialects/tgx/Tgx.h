//===- Tgx.h - the tgx dialect: how to run it -----------------------------===//
#ifndef TG_DIALECTS_TGX_TGX_H
#define TG_DIALECTS_TGX_TGX_H

#include "dialects/tg/Tg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tgx {
/// The value of `algorithm` for a contraction of a packed operand.
inline constexpr llvm::StringLiteral kPanels = "panels";
/// The numbers of positions along an axis of the tiles of a transformed 3x3
/// convolution.
inline constexpr int64_t kWinogradTiles[] = {4, 2};
/// Returns the value of `algorithm` for a convolution by tiles of `positions`
/// positions along an axis. The inverse returns the number of positions, and
/// none for other algorithms.
llvm::StringRef winogradAlgorithm(int64_t positions);
std::optional<int64_t> winogradTileOf(std::optional<llvm::StringRef> algorithm);
/// The kind of error with which a check of elements ends a run.
enum class ElementFailure {
  /// An index or label is out of range (TG_ERROR_INDEX).
  index,
  /// A divisor is zero (TG_ERROR_DIVIDE).
  divisor,
  /// A float is no finite number (TG_ERROR_NAN).
  nan
};
} // namespace tgx

#include "dialects/tgx/TgxDialect.h.inc"
#include "dialects/tgx/TgxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.h.inc"
#include "dialects/tgx/TgxInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.h.inc"

#endif // TG_DIALECTS_TGX_TGX_H
