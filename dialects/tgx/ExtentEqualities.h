//===- ExtentEqualities.h - numbers that are equal whatever the extents ---===//
#ifndef TG_DIALECTS_TGX_EXTENTEQUALITIES_H
#define TG_DIALECTS_TGX_EXTENTEQUALITIES_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <vector>

namespace tgx {

/// Says of two numbers over the symbols of a function whether they are equal
/// for all extents that pass its entry checks.
///
/// Numbers are polynomials over symbols, quotients and rests; an entry check
/// whose sides must be equal replaces its leading product by the others, as
/// division of polynomials does. What needs more than that, or very long
/// polynomials, counts as different.
class ExtentEqualities {
public:
  /// From here on the two numbers are equal.
  void assume(mlir::AffineExpr a, mlir::AffineExpr b);

  bool areEqual(mlir::AffineExpr a, mlir::AffineExpr b);

private:
  /// Numbers of symbols, quotients and rests, descending: what is multiplied.
  using Product = std::vector<unsigned>;
  /// Coefficients other than 0 by their product. The order is lexicographic,
  /// so multiplying keeps it and the last product leads.
  using Polynomial = std::map<Product, int64_t>;

  unsigned numberOf(mlir::AffineExpr atom);
  std::optional<Polynomial> expand(mlir::AffineExpr expression);
  std::optional<Polynomial> expandNew(mlir::AffineExpr expression);
  /// The difference of two numbers.
  std::optional<Polynomial> subtract(mlir::AffineExpr a, mlir::AffineExpr b);
  bool reducesToZero(Polynomial polynomial);

  llvm::DenseMap<mlir::AffineExpr, unsigned> numbers;
  /// What was expanded, once: expressions share their parts.
  llvm::DenseMap<mlir::AffineExpr, std::optional<Polynomial>> expansions;
  /// Polynomials that are 0.
  std::vector<Polynomial> zeros;
  /// Pairs of a term and a zero that divisions may still look at: bounds the
  /// time of a verifier that hostile text reaches.
  int64_t workLeft = int64_t(1) << 25;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_EXTENTEQUALITIES_H
