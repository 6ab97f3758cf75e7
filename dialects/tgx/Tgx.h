//===- Tgx.h - the tgx dialect: kernels and their execution ---------------===//
#ifndef TG_DIALECTS_TGX_TGX_H
#define TG_DIALECTS_TGX_TGX_H

#include "dialects/tg/Tg.h"
#include "dialects/tgx/Alignment.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tgx {
/// The attribute of a module with the targets that share its plan, a
/// TargetAttr.
inline constexpr llvm::StringLiteral kTargetAttr = "tgx.target";
/// The value of `algorithm` for a contraction of a packed operand.
inline constexpr llvm::StringLiteral kPanels = "panels";
/// The sizes of the output tiles of Winograd convolutions with 3x3 filters, in
/// positions along each axis.
inline constexpr int64_t kWinogradTiles[] = {4, 2};
/// Returns the value of `algorithm` for a Winograd convolution with output
/// tiles of `positions` x `positions`.
llvm::StringRef winogradAlgorithm(int64_t positions);
/// Returns the tile size of a Winograd algorithm, or none for other algorithms.
std::optional<int64_t> winogradTileOf(std::optional<llvm::StringRef> algorithm);
/// The kind of error with which a check of elements ends a run.
enum class ElementFailure {
  /// An index or label is out of range (TG_ERROR_INDEX).
  index,
  /// A divisor is zero (TG_ERROR_DIVIDE).
  divisor,
  /// A float is NaN or infinite (TG_ERROR_NAN).
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
