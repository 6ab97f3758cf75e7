//===- LaneSteps.h - loops over the lanes of one op -----------------------===//
#ifndef TG_COMPILER_REFERENCE_LANES_LANESTEPS_H
#define TG_COMPILER_REFERENCE_LANES_LANESTEPS_H

#include "compiler/reference/FusedProducts.h"
#include "compiler/reference/lanes/LaneCompiler.h"

namespace tg {

template <typename To, typename From, typename Function>
void LaneCompiler::addConversion(mlir::Operation &op, Function function) {
  const From *x = lanes<From>(op.getOperand(0));
  To *result = lanes<To>(op.getResult(0));
  steps->push_back([=](const Lanes &lanes) {
    for (int64_t i = 0; i < lanes.count; ++i)
      result[i] = function(x[i]);
  });
}

template <typename T, typename Function>
void LaneCompiler::addUnary(mlir::Operation &op, Function function) {
  addConversion<T, T>(op, function);
}

template <typename T, typename Function>
void LaneCompiler::addBinary(mlir::Operation &op, Function function) {
  const T *a = lanes<T>(op.getOperand(0));
  const T *b = lanes<T>(op.getOperand(1));
  using Result = decltype(function(T(), T()));
  Result *result = lanes<Result>(op.getResult(0));
  steps->push_back([=](const Lanes &lanes) {
    for (int64_t i = 0; i < lanes.count; ++i)
      result[i] = function(a[i], b[i]);
  });
}

template <typename Function>
bool LaneCompiler::floats(mlir::Operation &op, Function function) {
  visitScalar(op.getOperand(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      if constexpr (std::is_invocable_v<Function, T>)
        addUnary<T>(op, function);
      else
        addBinary<T>(op, function);
    }
  });
  return true;
}

template <typename Function>
bool LaneCompiler::integers(mlir::Operation &op, Function function) {
  mlir::Type type = op.getOperand(0).getType();
  // An i1 is the last bit of a byte.
  uint64_t mask = type.isInteger(1) ? 1 : ~uint64_t(0);
  visitScalar(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      addBinary<T>(op,
                   [=](T a, T b) -> T { return T(function(a, b)) & T(mask); });
  });
  return true;
}

template <typename Function>
bool LaneCompiler::signedIntegers(mlir::Operation &op, Function function) {
  visitScalar(op.getOperand(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      addBinary<T>(op, [=](T a, T b) -> T {
        using Signed = std::make_signed_t<T>;
        return T(function(Signed(a), Signed(b)));
      });
  });
  return true;
}

template <typename Function>
bool LaneCompiler::comparison(mlir::Operation &op, Function function) {
  visitScalar(op.getOperand(0).getType(), [&](auto zero) {
    using T = decltype(zero);
    addBinary<T>(op, [=](T a, T b) -> uint8_t { return function(a, b); });
  });
  return true;
}

} // namespace tg

#endif // TG_COMPILER_REFERENCE_LANES_LANESTEPS_H
