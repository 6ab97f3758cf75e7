// Expansions of erf and its inverse.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

namespace {
/// A polynomial in x - center that applies to x below `end`.
struct Piece {
  double end;
  double center;
  ArrayRef<double> coefficients;
};
} // namespace

/// Returns the value of the piece that contains x; the last piece applies to
/// all greater x. Evaluates all pieces, which is cheaper than a lookup of
/// coefficients.
static Value piecewise(const FloatOps &ops, Value x, ArrayRef<Piece> pieces) {
  Value result;
  for (const Piece &piece : llvm::reverse(pieces)) {
    Value t = ops.sub(x, ops.constant(piece.center));
    Value value = ops.polynomial(t, piece.coefficients);
    if (result) {
      Value end = ops.constant(piece.end);
      Value isInside = ops.compare(CmpFPredicate::OLT, x, end);
      value = ops.select(isInside, value, result);
    }
    result = value;
  }
  return result;
}

Value tg::expandErf(const FloatOps &ops, Value x) {
  bool isF32 = ops.isF32();
  // erf rounds to 1 beyond the bound.
  double bound = isF32 ? 3.94 : 6.0;
  Value a = ops.atMost(ops.abs(x), bound);
  Value square = ops.mul(a, a);
  ArrayRef<double> smallPolynomial = kErfSmallF64;
  if (isF32)
    smallPolynomial = kErfSmallF32;
  // Below 1, erf x = x + x·p(x²). The leading coefficient 2/sqrt(pi) - 1 has a
  // smaller rounding error than 2/sqrt(pi).
  Value small = ops.fma(a, ops.polynomial(square, smallPolynomial), a);
  Value large;
  if (isF32)
    large = piecewise(ops, a, {{bound, 2.47, kErfLargeF32}});
  else
    large = piecewise(ops, a,
                      {{2.0, 1.5, kErfMiddleF64},
                       {3.5, 2.75, kErfLargeF64},
                       {bound, 4.75, kErfTailF64}});
  Value isSmall = ops.compare(CmpFPredicate::OLT, a, ops.constant(1));
  return ops.copySign(ops.select(isSmall, small, large), x);
}

/// Returns erfinv(x)/x as a function of w = -log(1 - x²). It is smooth in w
/// near 0, and in sqrt(w) far from 0.
static Value erfInvQuotient(const FloatOps &ops, Value w) {
  Value root = ops.sqrt(w);
  bool isF32 = ops.isF32();
  Value near, far;
  if (isF32) {
    near = piecewise(ops, w, {{5, 2.5, kErfInvNearF32}});
    far = piecewise(ops, root, {{4, 3, kErfInvFarF32}});
  } else {
    near = piecewise(ops, w, {{6.25, 3.125, kErfInvNearF64}});
    far = piecewise(ops, root,
                    {{4, 3.25, kErfInvMiddleF64}, {6.1, 5, kErfInvFarF64}});
  }
  Value isNear =
      ops.compare(CmpFPredicate::OLT, w, ops.constant(isF32 ? 5 : 6.25));
  return ops.select(isNear, near, far);
}

Value tg::expandErfInv(const FloatOps &ops, Value x) {
  Value a = ops.abs(x);
  Value one = ops.constant(1);
  Value product = ops.mul(ops.sub(one, a), ops.add(one, a));
  Value w = ops.sub(ops.constant(0), expandLog(ops, product));
  Value result = ops.mul(x, erfInvQuotient(ops, w));
  Value infinity = ops.constant(std::numeric_limits<double>::infinity());
  Value isPole = ops.compare(CmpFPredicate::OEQ, a, one);
  return ops.select(isPole, ops.copySign(infinity, x), result);
}
