//===- ExtentEqualities.h - numbers that differ for some extents ----------===//
#ifndef TG_DIALECTS_TGX_VERIFICATION_EXTENTEQUALITIES_H
#define TG_DIALECTS_TGX_VERIFICATION_EXTENTEQUALITIES_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>
#include <vector>

namespace tgx {

/// Decides if two numbers over the symbols of a function differ for extents
/// that pass its entry checks.
///
/// Numbers are polynomials over symbols, quotients and remainders. If an entry
/// check requires two numbers to be equal, the leading product of their
/// difference is replaced by the other products wherever it occurs, as in the
/// division of polynomials. Symbols are free unless they occur in a
/// remaining quotient or remainder, or in a check that does more than set the
/// value of a symbol. Numbers differ only if free symbols show it, so no valid
/// function is rejected because of a number that this class cannot compute.
class ExtentEqualities {
public:
  /// Records that the two numbers are equal.
  void assume(mlir::AffineExpr a, mlir::AffineExpr b);

  /// Returns true if the two are known to differ for some extents.
  bool differ(mlir::AffineExpr a, mlir::AffineExpr b);

private:
  /// The factors of a product: the ids of symbols, quotients and remainders,
  /// descending.
  using Product = std::vector<unsigned>;
  /// The nonzero coefficients by their product. The order is lexicographic, so
  /// multiplying keeps it and the last product leads.
  using Polynomial = std::map<Product, int64_t>;

  /// Returns the id of a symbol, quotient or remainder.
  unsigned idOf(mlir::AffineExpr atom);
  /// Returns an expression as a polynomial, or none if it is too large.
  std::optional<Polynomial> expand(mlir::AffineExpr expression);
  std::optional<Polynomial> expandUncached(mlir::AffineExpr expression);
  /// Returns the difference of two numbers.
  std::optional<Polynomial> subtract(mlir::AffineExpr a, mlir::AffineExpr b);
  /// Returns the remainder of a polynomial modulo the zeros, or none if the
  /// reduction takes too long.
  std::optional<Polynomial> reduce(Polynomial polynomial);
  /// Returns true if a factor is a free symbol.
  bool isFree(unsigned id) const;
  /// Marks the symbols of an expression, and the symbols that they equal, as
  /// not free.
  void bind(mlir::AffineExpr expression);
  /// Returns true if the polynomial is known to be nonzero for some values of
  /// the free symbols.
  bool canBeNonzero(const Polynomial &polynomial);

  llvm::DenseMap<mlir::AffineExpr, unsigned> ids;
  /// The symbols, quotients and remainders, by their ids.
  std::vector<mlir::AffineExpr> atoms;
  /// Caches the expanded expressions, since expressions share subexpressions.
  llvm::DenseMap<mlir::AffineExpr, std::optional<Polynomial>> expansions;
  /// Polynomials that are 0. No leading product divides the leading product of
  /// another.
  std::vector<Polynomial> zeros;
  /// The symbols that are not free: they occur in quotients, in remainders, or
  /// in checks that do more than set the value of one symbol.
  llvm::DenseSet<mlir::AffineExpr> bound;
  /// The number of terms that searches in the zeros may still visit. It bounds
  /// the time that untrusted text can take. At 0, no numbers are known to
  /// differ.
  int64_t workLeft = int64_t(1) << 25;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_EXTENTEQUALITIES_H
