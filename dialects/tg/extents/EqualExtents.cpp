//===- EqualExtents.cpp - extents that are equal by checks ----------------===//
#include "dialects/tg/extents/ExtentAnalysis.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"

using namespace mlir;
using namespace tg;

namespace {
/// A partition of numbers into classes of equal numbers.
class EqualNumbers {
public:
  void unite(AffineExpr a, AffineExpr b) {
    AffineExpr first = find(a);
    AffineExpr second = find(b);
    if (first == second)
      return;
    // If a class has a constant, the constant is the root.
    if (isa<AffineConstantExpr>(first))
      std::swap(first, second);
    parents[first] = second;
  }

  /// Returns the number that represents all numbers equal to this one.
  AffineExpr find(AffineExpr number) const {
    for (auto next = parents.find(number); next != parents.end();
         next = parents.find(number))
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
  /// The union-find forest: the parent of each number that is not a root.
  DenseMap<AffineExpr, AffineExpr> parents;
};
} // namespace

static bool isBinary(AffineExpr number) {
  return isa<AffineBinaryOpExpr>(number);
}

/// Returns true if checks prove that two numbers are equal in a block. Only
/// numbers known at entry can be equal: the checks of other numbers run where
/// the numbers are measured, and not before the block.
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
