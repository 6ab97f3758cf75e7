//===- EqualExtents.cpp - extents that are equal by checks ----------------===//
#include "dialects/tg/extents/Extents.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"

using namespace mlir;
using namespace tg;

namespace {
/// A partition of numbers into classes of equal numbers.
class EqualNumbers {
public:
  void unite(AffineExpr a, AffineExpr b) {
    AffineExpr first = find(a), second = find(b);
    if (first == second)
      return;
    // A constant represents its class.
    if (isa<AffineConstantExpr>(first))
      std::swap(first, second);
    chosen[first] = second;
  }

  /// Returns the number that represents all numbers equal to this one.
  AffineExpr find(AffineExpr number) const {
    for (auto next = chosen.find(number); next != chosen.end();
         next = chosen.find(number))
      number = next->second;
    return number;
  }

  /// Replaces each symbol of a number by the representative of the symbol.
  AffineExpr replaceSymbols(AffineExpr number) const {
    DenseMap<AffineExpr, AffineExpr> symbols;
    number.walk([&](AffineExpr part) {
      if (isa<AffineSymbolExpr>(part))
        symbols[part] = find(part);
    });
    return simplifyExtent(number.replace(symbols));
  }

private:
  DenseMap<AffineExpr, AffineExpr> chosen;
};
} // namespace

static bool isBinary(AffineExpr number) {
  return isa<AffineBinaryOpExpr>(number);
}

/// Returns true if two numbers are equal in a block. Only numbers known at
/// entry are compared, because the others are compared where they are measured
/// and not at the beginning of a block.
bool ExtentAnalysis::areEqual(AffineExpr a, AffineExpr b,
                              const Block &block) const {
  if (a == b)
    return true;
  if (!isKnownAtEntry(a) || !isKnownAtEntry(b))
    return false;
  SmallVector<Equality> known;
  llvm::copy_if(equalities, std::back_inserter(known), [&](const Equality &it) {
    return it.block->getParent()->isAncestor(block.getParent()) &&
           isKnownAtEntry(it.first) && isKnownAtEntry(it.second);
  });
  // Unite symbols and numbers first, then the expressions over them.
  EqualNumbers numbers;
  for (const Equality &it : known)
    if (!isBinary(it.first) && !isBinary(it.second))
      numbers.unite(it.first, it.second);
  EqualNumbers computed;
  for (const Equality &it : known)
    computed.unite(numbers.replaceSymbols(it.first),
                   numbers.replaceSymbols(it.second));
  return computed.find(numbers.replaceSymbols(a)) ==
         computed.find(numbers.replaceSymbols(b));
}
