//===- EqualExtents.cpp - extents that checks say are equal ---------------===//
#include "dialects/tg/extents/Extents.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"

using namespace mlir;
using namespace tg;

namespace {
/// Numbers in classes of equal ones.
class EqualNumbers {
public:
  void unite(AffineExpr a, AffineExpr b) {
    AffineExpr first = find(a), second = find(b);
    if (first == second)
      return;
    // A constant stands for its class.
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

  /// The number with what stands for each of its symbols.
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

/// Only what is known at entry is compared where a block begins; any other
/// number is compared where it is found.
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
  // Symbols and numbers first, then what is computed of them.
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
