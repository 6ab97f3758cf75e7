//===- Extents.h - symbolic extents of tensors ----------------------------===//
//
// An extent is an AffineExpr: a constant, or an expression over symbols, which
// stand for numbers that are not known until run time.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_EXTENTS_EXTENTS_H
#define TG_DIALECTS_TG_EXTENTS_EXTENTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace tg {

/// Element type and extents of a tensor.
struct TensorExtents {
  mlir::Type elementType;
  llvm::SmallVector<mlir::AffineExpr> dims;

  /// Returns the tensor type: static where an extent is a constant, `?`
  /// elsewhere.
  mlir::RankedTensorType getType() const;
};

/// Returns the number of a constant extent, or none.
std::optional<int64_t> staticExtent(mlir::AffineExpr extent);

/// Returns the product of extents; 1 for an empty list.
mlir::AffineExpr productOf(llvm::ArrayRef<mlir::AffineExpr> extents,
                           mlir::MLIRContext *context);

/// The upper bound on the parts of an extent: the constants, symbols and
/// operations of its expression tree. A subexpression counts at each
/// occurrence, because a few ops can build an expression that doubles with
/// every op.
inline constexpr unsigned kMaximumParts = 512;

/// Returns the number of parts of an expression; stops counting at `most`.
unsigned countParts(mlir::AffineExpr expression, unsigned most);

/// Simplifies sums of a quotient and its remainder: (n floordiv 3) * 3 + n mod
/// 3 is n. Affine expressions do not simplify these sums themselves.
mlir::AffineExpr joinParts(mlir::AffineExpr extent, unsigned parts);

/// Returns the expression in its shortest form.
mlir::AffineExpr simplifyExtent(mlir::AffineExpr expression);

/// The relation between the two numbers of a check.
enum class ExtentRelation { equal, atMost, atLeast };

/// Returns true if the relation holds between two numbers.
bool holds(ExtentRelation relation, int64_t found, int64_t expected);

/// Returns the words before the second number in a message: "", "at most " or
/// "at least ".
llvm::StringRef boundPhrase(ExtentRelation relation);

/// Returns the text of a found extent in a message: its number, or `?`.
std::string printExtent(mlir::AffineExpr extent);

} // namespace tg

#endif // TG_DIALECTS_TG_EXTENTS_EXTENTS_H
