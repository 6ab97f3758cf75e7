//===- LaneCompiler.cpp - arithmetic of lanes -----------------------------===//
#include "compiler/reference/lanes/LaneSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Returns the truth table of a predicate: bit 0 for equal numbers, bit 1 if
/// the first is greater, bit 2 if it is less, bit 3 if one is NaN.
static unsigned tableOf(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  if (predicate == P::AlwaysTrue)
    return 15;
  if (predicate == P::UNO)
    return 8;
  unsigned number = unsigned(predicate);
  return number < unsigned(P::UEQ) ? number : number + 1;
}

/// Returns the greater number, NaN if one is NaN, and +0 rather than -0.
template <typename T> static T greaterNumber(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

bool LaneCompiler::compileFloats(Operation &op) {
  return TypeSwitch<Operation *, bool>(&op)
      .Case<arith::AddFOp>(
          [&](Operation *) { return floats(op, std::plus<>()); })
      .Case<arith::SubFOp>(
          [&](Operation *) { return floats(op, std::minus<>()); })
      .Case<arith::MulFOp>(
          [&](Operation *) { return floats(op, std::multiplies<>()); })
      .Case<arith::DivFOp>(
          [&](Operation *) { return floats(op, std::divides<>()); })
      .Case<arith::NegFOp>([&](Operation *) {
        return floats(op, []<typename T>(T x) -> T { return -x; });
      })
      .Case<arith::MaximumFOp>([&](Operation *) {
        return floats(
            op, []<typename T>(T a, T b) -> T { return greaterNumber(a, b); });
      })
      .Case<arith::MinimumFOp>([&](Operation *) {
        return floats(op, []<typename T>(T a, T b) -> T {
          return -greaterNumber(-a, -b);
        });
      })
      .Case<arith::CmpFOp>([&](arith::CmpFOp compare) {
        unsigned table = tableOf(compare.getPredicate());
        return comparison(op, [table](auto a, auto b) {
          return table >> (a == b ? 0 : a > b ? 1 : a < b ? 2 : 3) & 1;
        });
      })
      .Default(false);
}

bool LaneCompiler::compileFunctions(Operation &op) {
  return TypeSwitch<Operation *, bool>(&op)
      .Case<math::AbsFOp>([&](Operation *) {
        return floats(op, []<typename T>(T x) -> T { return std::abs(x); });
      })
      .Case<math::SqrtOp>([&](Operation *) {
        return floats(op, []<typename T>(T x) -> T { return std::sqrt(x); });
      })
      .Case<math::FloorOp>([&](Operation *) {
        return floats(op, []<typename T>(T x) -> T { return std::floor(x); });
      })
      .Case<math::RoundEvenOp>([&](Operation *) {
        return floats(op,
                      []<typename T>(T x) -> T { return std::nearbyint(x); });
      })
      .Case<math::CopySignOp>([&](Operation *) {
        return floats(
            op, []<typename T>(T a, T b) -> T { return std::copysign(a, b); });
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Returns a comparison of integers as a function of both.
static auto comparisonOf(arith::CmpIPredicate predicate) {
  return [predicate]<typename T>(T a, T b) -> bool {
    using P = arith::CmpIPredicate;
    if constexpr (std::is_integral_v<T>) {
      using Signed = std::make_signed_t<T>;
      switch (predicate) {
      case P::eq:
        return a == b;
      case P::ne:
        return a != b;
      case P::slt:
        return Signed(a) < Signed(b);
      case P::sle:
        return Signed(a) <= Signed(b);
      case P::sgt:
        return Signed(a) > Signed(b);
      case P::sge:
        return Signed(a) >= Signed(b);
      case P::ult:
        return a < b;
      case P::ule:
        return a <= b;
      case P::ugt:
        return a > b;
      case P::uge:
        return a >= b;
      }
    }
    return false;
  };
}

/// Return the quotient and the remainder, and 0 where they are not defined:
/// lanes that are not active may hold any divisor.
template <typename T> static T quotientOf(T a, T b) {
  if (b == 0)
    return 0;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return T(-std::make_unsigned_t<T>(a));
  return T(a / b);
}
template <typename T> static T remainderOf(T a, T b) {
  if (b == 0 || (std::is_signed_v<T> && b == T(-1)))
    return 0;
  return T(a % b);
}

/// Returns true if a shift by the count is defined.
template <typename T> static bool isShift(T count) {
  return uint64_t(count) < sizeof(T) * 8;
}

bool LaneCompiler::compileIntegers(Operation &op) {
  return TypeSwitch<Operation *, bool>(&op)
      .Case<arith::AddIOp>([&](auto) { return integers(op, std::plus<>()); })
      .Case<arith::SubIOp>([&](auto) { return integers(op, std::minus<>()); })
      .Case<arith::MulIOp>([&](auto) {
        return integers(op, []<typename T>(T a, T b) {
          return T(uint64_t(a) * uint64_t(b));
        });
      })
      .Case<arith::AndIOp>([&](auto) { return integers(op, std::bit_and<>()); })
      .Case<arith::OrIOp>([&](auto) { return integers(op, std::bit_or<>()); })
      .Case<arith::XOrIOp>([&](auto) { return integers(op, std::bit_xor<>()); })
      .Case<arith::DivUIOp>([&](auto) {
        return integers(op, [](auto a, auto b) { return quotientOf(a, b); });
      })
      .Case<arith::RemUIOp>([&](auto) {
        return integers(op, [](auto a, auto b) { return remainderOf(a, b); });
      })
      .Case<arith::MaxUIOp>([&](auto) {
        return integers(op, [](auto a, auto b) { return std::max(a, b); });
      })
      .Case<arith::MinUIOp>([&](auto) {
        return integers(op, [](auto a, auto b) { return std::min(a, b); });
      })
      .Case<arith::ShLIOp>([&](auto) {
        return integers(op, []<typename T>(T a, T b) {
          return isShift(b) ? T(a << b) : T(0);
        });
      })
      .Case<arith::ShRUIOp>([&](auto) {
        return integers(op, []<typename T>(T a, T b) {
          return isShift(b) ? T(a >> b) : T(0);
        });
      })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
        return comparison(op, comparisonOf(compare.getPredicate()));
      })
      .Default(false);
}

bool LaneCompiler::compileSignedIntegers(Operation &op) {
  return TypeSwitch<Operation *, bool>(&op)
      .Case<arith::DivSIOp>([&](auto) {
        return signedIntegers(op,
                              [](auto a, auto b) { return quotientOf(a, b); });
      })
      .Case<arith::RemSIOp>([&](auto) {
        return signedIntegers(op,
                              [](auto a, auto b) { return remainderOf(a, b); });
      })
      .Case<arith::MaxSIOp>([&](auto) {
        return signedIntegers(op,
                              [](auto a, auto b) { return std::max(a, b); });
      })
      .Case<arith::MinSIOp>([&](auto) {
        return signedIntegers(op,
                              [](auto a, auto b) { return std::min(a, b); });
      })
      .Default(false);
}
