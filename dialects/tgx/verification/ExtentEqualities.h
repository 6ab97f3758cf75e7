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

/// Says of two numbers over the symbols of a function whether they differ for
/// extents that pass its entry checks.
///
/// Numbers are polynomials over symbols, quotients and remainders; an entry
/// check whose sides must be equal replaces its leading product by the others,
/// as division of polynomials does. Symbols of quotients and remainders that
/// stay, and of checks that are more than a symbol's value, count as unknown
/// numbers: no valid function is refused for what this cannot compute.
class ExtentEqualities {
public:
  /// From here on the two numbers are equal.
  void assume(mlir::AffineExpr a, mlir::AffineExpr b);

  /// Returns true if the two are known to differ for some extents.
  bool differ(mlir::AffineExpr a, mlir::AffineExpr b);

private:
  /// Numbers of symbols, quotients and remainders, descending: what is
  /// multiplied.
  using Product = std::vector<unsigned>;
  /// Coefficients other than 0 by their product. The order is lexicographic,
  /// so multiplying keeps it and the last product leads.
  using Polynomial = std::map<Product, int64_t>;

  unsigned numberOf(mlir::AffineExpr atom);
  std::optional<Polynomial> expand(mlir::AffineExpr expression);
  std::optional<Polynomial> expandNew(mlir::AffineExpr expression);
  /// The difference of two numbers.
  std::optional<Polynomial> subtract(mlir::AffineExpr a, mlir::AffineExpr b);
  /// Returns the remainder of a polynomial modulo the zeros, or none if the
  /// reduction takes too long.
  std::optional<Polynomial> reduce(Polynomial polynomial);
  /// Returns true if the value of a factor can be chosen.
  bool isFree(unsigned number) const;
  /// From here on the symbols of an expression, and those that they equal, are
  /// not free.
  void bind(mlir::AffineExpr expression);
  bool canBeNonzero(const Polynomial &polynomial);

  llvm::DenseMap<mlir::AffineExpr, unsigned> numbers;
  /// The symbols, quotients and remainders by their numbers.
  std::vector<mlir::AffineExpr> atoms;
  /// Caches the expanded expressions, since expressions share their parts.
  llvm::DenseMap<mlir::AffineExpr, std::optional<Polynomial>> expansions;
  /// Polynomials that are 0; none divides the leading product of another.
  std::vector<Polynomial> zeros;
  /// Symbols of quotients, and of checks that say more than a symbol's value.
  llvm::DenseSet<mlir::AffineExpr> bound;
  /// Terms that searches in the zeros may still look at: bounds the time of a
  /// verifier that hostile text reaches. Nothing is known when they are over.
  int64_t workLeft = int64_t(1) << 25;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_EXTENTEQUALITIES_H
