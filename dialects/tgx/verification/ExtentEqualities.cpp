//===- ExtentEqualities.cpp - numbers that differ for some extents --------===//
#include "dialects/tgx/verification/ExtentEqualities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tgx;

/// The upper bounds on products of a polynomial, on factors of a product, and
/// on steps of a division. Sizes need only a handful of each.
static constexpr size_t kMaximumProducts = 64, kMaximumDegree = 64;
static constexpr unsigned kMaximumSteps = 64;

namespace {
/// A polynomial while terms are added. It fails permanently if a number
/// overflows or it grows too long.
template <typename Polynomial> class Sum {
public:
  explicit Sum(Polynomial start = {}) : terms(std::move(start)) {}

  void add(const typename Polynomial::key_type &product,
           std::optional<int64_t> coefficient) {
    int64_t &known = terms[product];
    std::optional<int64_t> sum =
        coefficient ? llvm::checkedAdd(known, *coefficient) : std::nullopt;
    failed |= !sum || *sum == std::numeric_limits<int64_t>::min() ||
              terms.size() > kMaximumProducts ||
              product.size() > kMaximumDegree;
    known = sum.value_or(0);
    if (!known)
      terms.erase(product);
  }
  std::optional<Polynomial> take() {
    return failed ? std::nullopt : std::optional(std::move(terms));
  }

private:
  Polynomial terms;
  bool failed = false;
};
} // namespace

unsigned ExtentEqualities::idOf(AffineExpr atom) {
  auto [entry, isNew] = ids.try_emplace(atom, ids.size());
  if (isNew)
    atoms.push_back(atom);
  return entry->second;
}

/// Returns a * b, descending.
static std::vector<unsigned> multiply(const std::vector<unsigned> &a,
                                      const std::vector<unsigned> &b) {
  std::vector<unsigned> product;
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             std::back_inserter(product), std::greater<unsigned>());
  return product;
}

std::optional<ExtentEqualities::Polynomial>
ExtentEqualities::expand(AffineExpr expression) {
  auto known = expansions.find(expression);
  if (known != expansions.end())
    return known->second;
  std::optional<Polynomial> polynomial = expandUncached(expression);
  expansions[expression] = polynomial;
  return polynomial;
}

std::optional<ExtentEqualities::Polynomial>
ExtentEqualities::expandUncached(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    Sum<Polynomial> sum;
    sum.add({}, constant.getValue());
    return sum.take();
  }
  AffineExprKind kind = expression.getKind();
  if (kind != AffineExprKind::Add && kind != AffineExprKind::Mul)
    return Polynomial{{Product{idOf(expression)}, 1}};
  auto parts = cast<AffineBinaryOpExpr>(expression);
  std::optional<Polynomial> lhs = expand(parts.getLHS());
  std::optional<Polynomial> rhs = expand(parts.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (kind == AffineExprKind::Add) {
    Sum<Polynomial> sum(std::move(*lhs));
    for (const auto &[product, coefficient] : *rhs)
      sum.add(product, coefficient);
    return sum.take();
  }
  Sum<Polynomial> sum;
  for (const auto &[first, a] : *lhs)
    for (const auto &[second, b] : *rhs)
      sum.add(multiply(first, second), llvm::checkedMul(a, b));
  return sum.take();
}

std::optional<ExtentEqualities::Polynomial>
ExtentEqualities::subtract(AffineExpr a, AffineExpr b) {
  std::optional<Polynomial> first = expand(a);
  std::optional<Polynomial> second = expand(b);
  if (!first || !second)
    return std::nullopt;
  Sum<Polynomial> sum(std::move(*first));
  for (const auto &[product, coefficient] : *second)
    sum.add(product, llvm::checkedMul<int64_t>(coefficient, -1));
  return sum.take();
}

/// Returns the factors of `product` without those of `divisor`, or none if
/// `product` does not contain all of `divisor`.
static std::optional<std::vector<unsigned>>
divide(const std::vector<unsigned> &product,
       const std::vector<unsigned> &divisor) {
  if (!std::includes(product.begin(), product.end(), divisor.begin(),
                     divisor.end(), std::greater<unsigned>()))
    return std::nullopt;
  std::vector<unsigned> quotient;
  std::set_difference(product.begin(), product.end(), divisor.begin(),
                      divisor.end(), std::back_inserter(quotient),
                      std::greater<unsigned>());
  return quotient;
}

/// Subtracts from a multiple of `polynomial` the multiple of `zero` * `factor`
/// that eliminates the term of `product`. Returns none if numbers overflow.
template <typename Polynomial>
static std::optional<Polynomial>
eliminate(const Polynomial &polynomial, const std::vector<unsigned> &product,
          const Polynomial &zero, const std::vector<unsigned> &factor) {
  int64_t coefficientOfTerm = polynomial.at(product);
  int64_t coefficientOfZero = zero.rbegin()->second;
  int64_t common = std::gcd(coefficientOfTerm, coefficientOfZero);
  Sum<Polynomial> sum;
  for (const auto &[term, coefficient] : polynomial)
    sum.add(term, llvm::checkedMul(coefficient, coefficientOfZero / common));
  for (const auto &[term, coefficient] : zero)
    sum.add(multiply(term, factor),
            llvm::checkedMul(coefficient, -(coefficientOfTerm / common)));
  return sum.take();
}

std::optional<ExtentEqualities::Polynomial>
ExtentEqualities::reduce(Polynomial polynomial) {
  enum { done, reduced, failed };
  // Replaces the first term, from the leading one on, that the leading product
  // of a zero divides.
  auto step = [&] {
    for (const auto &[product, coefficient] : llvm::reverse(polynomial))
      for (const Polynomial &zero : llvm::reverse(zeros)) {
        if (--workLeft < 0)
          return failed;
        auto quotient = divide(product, zero.rbegin()->first);
        if (!quotient)
          continue;
        auto next = eliminate(polynomial, product, zero, *quotient);
        if (!next)
          return failed;
        polynomial = std::move(*next);
        return reduced;
      }
    return done;
  };
  for (unsigned steps = 0; steps < kMaximumSteps; ++steps)
    switch (step()) {
    case done:
      return polynomial;
    case reduced:
      continue;
    case failed:
      return std::nullopt;
    }
  return std::nullopt;
}

bool ExtentEqualities::isFree(unsigned id) const {
  return isa<AffineSymbolExpr>(atoms[id]) && !bound.contains(atoms[id]);
}

void ExtentEqualities::bind(AffineExpr expression) {
  SmallVector<unsigned> worklist;
  auto add = [&](AffineExpr atom) {
    atom.walk([&](AffineExpr part) {
      if (isa<AffineSymbolExpr>(part) && bound.insert(part).second)
        worklist.push_back(idOf(part));
    });
  };
  add(expression);
  // A number that equals a bound symbol is also bound.
  while (!worklist.empty()) {
    unsigned symbol = worklist.pop_back_val();
    for (const Polynomial &zero : zeros) {
      workLeft -= zero.size();
      if (workLeft < 0 || llvm::none_of(
                              zero,
                              [&](const auto &term) {
                                return llvm::is_contained(term.first, symbol);
                              }))
        continue;
      for (const auto &[product, coefficient] : zero)
        for (unsigned id : product)
          add(atoms[id]);
    }
  }
}

void ExtentEqualities::assume(AffineExpr a, AffineExpr b) {
  std::optional<Polynomial> zero = subtract(a, b);
  zero = zero ? reduce(std::move(*zero)) : std::nullopt;
  if (zero && zero->empty())
    return;
  // A check that only gives the value of a symbol leaves the other symbols
  // free.
  bool isValue = zero && zero->rbegin()->first.size() == 1 &&
                 std::abs(zero->rbegin()->second) == 1 &&
                 llvm::all_of(*zero, [&](const auto &term) {
                   return llvm::all_of(term.first,
                                       [&](unsigned id) { return isFree(id); });
                 });
  if (!isValue) {
    bind(a);
    bind(b);
  }
  if (zero)
    zeros.push_back(std::move(*zero));
}

/// Treats the polynomial as a polynomial in the free symbols, whose
/// coefficients are polynomials in the other factors. It is nonzero somewhere
/// if one of these coefficients is a constant: a Polynomial has no terms with
/// coefficient 0.
bool ExtentEqualities::canBeNonzero(const Polynomial &polynomial) {
  for (const auto &[product, coefficient] : polynomial)
    for (unsigned id : product)
      if (!isa<AffineSymbolExpr>(atoms[id]))
        bind(atoms[id]);
  std::map<Product, unsigned> terms;
  auto freeFactors = [&](const Product &product) {
    Product free;
    llvm::copy_if(product, std::back_inserter(free),
                  [&](unsigned id) { return isFree(id); });
    return free;
  };
  for (const auto &[product, coefficient] : polynomial)
    ++terms[freeFactors(product)];
  return llvm::any_of(polynomial, [&](const auto &term) {
    Product free = freeFactors(term.first);
    return free == term.first && terms[free] == 1;
  });
}

bool ExtentEqualities::differ(AffineExpr a, AffineExpr b) {
  if (a == b)
    return false;
  std::optional<Polynomial> difference = subtract(a, b);
  difference = difference ? reduce(std::move(*difference)) : std::nullopt;
  return difference && canBeNonzero(*difference);
}
