// Expansion of atan.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

/// Reduces |x| to r in [-tan π/8, tan π/8] and a multiple of π/4. r is |x|
/// below tan π/8, (|x| - 1) / (|x| + 1) up to tan 3π/8, and -1 / |x| above.
Value tg::expandAtan(const FloatOps &ops, Value x) {
  bool isF32 = ops.isF32();
  Value a = ops.abs(x);
  Value one = ops.constant(1);
  Value zero = ops.constant(0);
  Value isMiddle =
      ops.compare(CmpFPredicate::OGT, a, ops.constant(0x1.a827999fcef32p-2));
  Value isFar =
      ops.compare(CmpFPredicate::OGT, a, ops.constant(0x1.3504f333f9de6p+1));
  auto choose = [&](Value near, Value middle, Value far) {
    return ops.select(isFar, far, ops.select(isMiddle, middle, near));
  };
  Value r = ops.div(choose(a, ops.sub(a, one), ops.constant(-1)),
                    choose(one, ops.add(a, one), a));
  Value z = ops.mul(r, r);
  // atan r = r + r³·p(r²).
  Value p =
      isF32 ? ops.polynomial(z, kAtanTailF32) : ops.polynomial(z, kAtanTailF64);
  Value rest = ops.fma(ops.mul(r, z), p, r);
  // π/4 and π/2 as sums of a high and a low part, which depend on the type.
  double high = isF32 ? 0x1.921fb6p-1 : 0x1.921fb54442d18p-1;
  double low = isF32 ? -0x1.777a5cp-26 : 0x1.1a62633145c07p-55;
  Value turned =
      ops.add(rest, choose(zero, ops.constant(low), ops.constant(2 * low)));
  Value result =
      ops.add(turned, choose(zero, ops.constant(high), ops.constant(2 * high)));
  return ops.copySign(result, x);
}
