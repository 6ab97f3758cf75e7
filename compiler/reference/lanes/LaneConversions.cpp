//===- LaneConversions.cpp - conversions and selections of lanes ----------===//
#include "compiler/reference/lanes/LaneSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Returns x as an integer, and 0 where it is out of range.
template <typename To, typename From> static To truncateTo(From x) {
  const From end = std::ldexp(From(1), std::numeric_limits<To>::digits);
  bool isAbove = std::is_signed_v<To> ? x >= -end : x > From(-1);
  return isAbove && x < end ? To(x) : To(0);
}

/// Converts a number. `isSigned` says how integers are read and written. The
/// only bit of an i1 is its sign.
template <typename To, typename From>
static To convertNumber(From x, bool isSigned, bool isBit) {
  if constexpr (!std::is_floating_point_v<From>) {
    auto number = std::make_signed_t<From>(x);
    if (isSigned)
      return To(isBit ? -number : number);
    return To(x);
  } else if constexpr (std::is_floating_point_v<To>) {
    return To(x);
  } else {
    return isSigned ? To(truncateTo<std::make_signed_t<To>>(x))
                    : truncateTo<To>(x);
  }
}

bool LaneCompiler::compileConversion(Operation &op) {
  bool isSigned = isa<arith::SIToFPOp, arith::FPToSIOp, arith::ExtSIOp>(op);
  if (!isSigned &&
      !isa<arith::ExtFOp, arith::TruncFOp, arith::UIToFPOp, arith::FPToUIOp,
           arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return false;
  Type source = op.getOperand(0).getType(), target = op.getResult(0).getType();
  bool isBit = source.isInteger(1), toBit = target.isInteger(1);
  visitScalar(source, [&](auto from) {
    visitScalar(target, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      addConversion<To, From>(op, [=](From x) -> To {
        To result = convertNumber<To>(x, isSigned, isBit);
        if constexpr (std::is_integral_v<To>)
          return toBit ? result & 1 : result;
        return result;
      });
    });
  });
  return true;
}

/// Adds a step that reads the bits of one type as another of the same width.
static void copyBits(char *from, char *to, LaneProgram::Steps &steps) {
  steps.push_back([=](const LaneProgram::Lanes &lanes) {
    std::memcpy(to, from, lanes.count * sizeof(uint64_t));
  });
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

void LaneCompiler::compileConstant(Operation &op) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  visitScalar(op.getResult(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    T number;
    if constexpr (std::is_floating_point_v<T>)
      number = T(cast<FloatAttr>(value).getValueAsDouble());
    else
      number = T(cast<IntegerAttr>(value).getValue().getZExtValue());
    std::fill_n(lanes<T>(op.getResult(0)), LaneProgram::kLanes, number);
  });
}

void LaneCompiler::compileSelect(Operation &op) {
  const uint8_t *condition = lanes<uint8_t>(op.getOperand(0));
  visitScalar(op.getResult(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    const T *a = lanes<T>(op.getOperand(1)), *b = lanes<T>(op.getOperand(2));
    T *result = lanes<T>(op.getResult(0));
    steps->push_back([=](const Lanes &lanes) {
      for (int64_t i = 0; i < lanes.count; ++i)
        result[i] = condition[i] ? a[i] : b[i];
    });
  });
}

void LaneCompiler::compileFusedProduct(Operation &op) {
  visitScalar(op.getResult(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      const T *a = lanes<T>(op.getOperand(0));
      const T *b = lanes<T>(op.getOperand(1));
      const T *c = lanes<T>(op.getOperand(2));
      T *result = lanes<T>(op.getResult(0));
      steps->push_back([=](const Lanes &lanes) {
        multiplyAdd(a, b, c, result, lanes.count);
      });
    }
  });
}

/// Adds a step for both halves of the product of two i32.
void LaneCompiler::compileWideProduct(Operation &op) {
  const uint32_t *a = lanes<uint32_t>(op.getOperand(0));
  const uint32_t *b = lanes<uint32_t>(op.getOperand(1));
  uint32_t *low = lanes<uint32_t>(op.getResult(0));
  uint32_t *high = lanes<uint32_t>(op.getResult(1));
  steps->push_back([=](const Lanes &lanes) {
    for (int64_t i = 0; i < lanes.count; ++i) {
      uint64_t product = uint64_t(a[i]) * b[i];
      low[i] = uint32_t(product);
      high[i] = uint32_t(product >> 32);
    }
  });
}

bool LaneCompiler::compileOther(Operation &op) {
  return TypeSwitch<Operation *, bool>(&op)
      .Case<arith::ConstantOp>([&](auto) { return compileConstant(op), true; })
      .Case<arith::SelectOp>([&](auto) { return compileSelect(op), true; })
      .Case<arith::BitcastOp>([&](auto) {
        copyBits(lanesOf(op.getOperand(0)), lanesOf(op.getResult(0)), *steps);
        return true;
      })
      .Case<math::FmaOp, LLVM::FMulAddOp>(
          [&](auto) { return compileFusedProduct(op), true; })
      .Case<arith::MulUIExtendedOp>([&](auto) {
        if (op.getResult(0).getType().getIntOrFloatBitWidth() != 32)
          return false;
        return compileWideProduct(op), true;
      })
      .Case<tensor::ExtractOp>(
          [&](auto read) { return compileExtract(read), true; })
      .Case<scf::IfOp>([&](auto branch) { return compileIf(branch), true; })
      .Case<scf::ForOp>([&](auto loop) { return compileFor(loop), true; })
      .Case<scf::WhileOp>([&](auto loop) { return compileWhile(loop), true; })
      .Default(false);
}

void LaneCompiler::compile(Operation &op) {
  if (compileFloats(op) || compileFunctions(op) || compileIntegers(op) ||
      compileSignedIntegers(op) || compileConversion(op) || compileOther(op))
    return;
  if (program.error.empty())
    program.error = "expected an op on scalars that the reference can run, "
                    "found " +
                    op.getName().getStringRef().str();
}
