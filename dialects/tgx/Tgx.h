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
/// The kind of error with which a check of elements ends a run.
enum class ElementFailure {
  /// An index or label is out of range (TG_ERROR_INDEX).
  index,
  /// A divisor is zero (TG_ERROR_DIVIDE).
  divisor,
  /// A float is NaN or infinite (TG_ERROR_NAN).
  nan
};

/// A part of a kernel: a loop of its own that shares the launch with others.
struct KernelPart {
  /// The outputs of the part, which have equal extents.
  llvm::SmallVector<mlir::Value> outputs;
  /// The ops that compute them, in the order of the body. Constants and sizes
  /// may be ops of several parts.
  llvm::SmallVector<mlir::Operation *> ops;
};
} // namespace tgx

#include "dialects/tgx/TgxAttrInterfaces.h.inc"
#include "dialects/tgx/TgxDialect.h.inc"
#include "dialects/tgx/TgxEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.h.inc"
#include "dialects/tgx/TgxInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.h.inc"

#endif // TG_DIALECTS_TGX_TGX_H
