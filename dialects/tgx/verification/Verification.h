//===- Verification.h - common code of verifiers --------------------------===//
#ifndef TG_DIALECTS_TGX_VERIFICATION_VERIFICATION_H
#define TG_DIALECTS_TGX_VERIFICATION_VERIFICATION_H

#include "dialects/tgx/Tgx.h"

namespace tgx {

/// Checks that a map gives numbers over symbols: it has no dimensions, and
/// divisors are symbols or above 0. Messages call the map `what`; `label` is
/// the constraint.
llvm::LogicalResult verifyNumbers(mlir::Operation *op, mlir::AffineMap map,
                                  const llvm::Twine &what,
                                  llvm::StringRef label);

/// Makes the same checks, and checks that the map gives exactly one number.
llvm::LogicalResult verifyNumber(mlir::Operation *op, mlir::AffineMap map,
                                 const llvm::Twine &what,
                                 llvm::StringRef label);

/// Checks that all maps among the attributes of `op` are over `symbolCount`
/// symbols.
llvm::LogicalResult verifySymbols(mlir::Operation *op, int64_t symbolCount,
                                  llvm::StringRef label);

/// Checks that a map over `symbolCount` symbols gives one extent for each
/// dimension of the type, and gives the static extent of a static dimension.
llvm::LogicalResult verifyExtents(mlir::Operation *op, mlir::AffineMap extents,
                                  mlir::RankedTensorType type,
                                  int64_t symbolCount, const llvm::Twine &what,
                                  llvm::StringRef label);

/// Returns the memory layout of a part of `whole` along `axis`. Returns null if
/// all extents before the axis are 1, because the part is then contiguous.
RowsAttr rowsAlong(mlir::RankedTensorType whole, unsigned axis);

/// Returns the product of the static extents of a type from `axis` on.
int64_t elementsFrom(mlir::RankedTensorType type, unsigned axis);

/// Checks that `part` may be the type of a part of `whole` along `axis`: C1 of
/// tgx.part, C2 of tgx.join.
llvm::LogicalResult verifyPart(mlir::Operation *op, mlir::RankedTensorType part,
                               mlir::RankedTensorType whole, int64_t axis,
                               llvm::StringRef label);

/// Returns the kernel that `user` applies to values or buffers of these types
/// and to `extents`, or null after a diagnostic if the kernel does not accept
/// them. The labels are C1 to C3.
KernelOp verifyKernelUse(mlir::Operation *user, mlir::FlatSymbolRefAttr name,
                         mlir::TypeRange inputs, mlir::TypeRange outputs,
                         mlir::AffineMap extents,
                         mlir::SymbolTableCollection &symbols);

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_VERIFICATION_H
