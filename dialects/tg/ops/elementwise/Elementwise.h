//===- Elementwise.h - common code of elementwise ops ---------------------===//
#ifndef TG_DIALECTS_TG_OPS_ELEMENTWISE_ELEMENTWISE_H
#define TG_DIALECTS_TG_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/extents/ShapeInference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Operation.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tg {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The shape rule of unary ops.
llvm::LogicalResult inferUnary(mlir::Value input, ShapeInference &inference,
                               llvm::SmallVectorImpl<TensorExtents> &results);

/// The shape rule of binary ops. Checks C1 and C2.
llvm::LogicalResult inferBinary(mlir::Value lhs, mlir::Value rhs,
                                ElementClass elements,
                                ShapeInference &inference,
                                llvm::SmallVectorImpl<TensorExtents> &results);

/// Returns true if extents may be computed from the value of a tensor: it has
/// rank 0 and element type i64.
bool isSizeScalar(mlir::Value tensor);

/// Checks C1: fails unless lhs and rhs have the same element type.
llvm::LogicalResult checkElementTypes(mlir::Value lhs, mlir::Value rhs,
                                      ShapeInference &inference);

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// Returns the position in an operand of the given extents that broadcasting
/// pairs with `position` of the result.
Position broadcastPosition(ElementBuilder &element, const Position &position,
                           mlir::ArrayRef<int64_t> operandShape);

/// The element rule of all elementwise ops: applies `buildScalar` to the
/// elements of the operands that broadcasting pairs with `position`.
mlir::Value buildElementwiseElement(mlir::Operation *op,
                                    ElementBuilder &element,
                                    const Position &position);

/// Builds a constant of a compute type: a scalar, or a vector with the scalar
/// in all lanes.
mlir::Value buildComputeConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type type, const llvm::APInt &value);
mlir::Value buildComputeConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type type, double value);

/// Returns true if a compute type, a scalar or a vector, is a float type.
bool computesInFloat(mlir::Type type);

/// Builds a constant of the type of `like`, a scalar or a vector with the
/// number in all lanes.
mlir::Value buildNumberLike(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value like, double number);

/// Builds 0 - x for integers, which wraps.
mlir::Value buildNegation(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value x);

/// Compare two scalars or vectors of floats, or of integers.
mlir::Value buildCompare(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::arith::CmpFPredicate predicate, mlir::Value lhs,
                         mlir::Value rhs);
mlir::Value buildCompare(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                         mlir::Value rhs);

/// Returns true if the elements of a tensor are unsigned integers.
bool isUnsigned(mlir::Value tensor);

/// Build the least and the greatest value of an element type, as a constant of
/// its compute type.
mlir::Value buildLowest(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type elementType, mlir::Type computeType);
mlir::Value buildGreatest(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type elementType, mlir::Type computeType);

/// Build the greater and the lesser of two scalars or vectors that hold an
/// element type. The result is NaN if either operand is NaN, and -0 is less
/// than +0. For i1 the greater one is `or`, the lesser one `and`.
mlir::Value buildGreater(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type elementType, mlir::Value lhs,
                         mlir::Value rhs);
mlir::Value buildLesser(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type elementType, mlir::Value lhs,
                        mlir::Value rhs);

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// The type in which arithmetic on T wraps: T for floats; for integers an
/// unsigned type that C++ does not promote to a signed one.
template <typename T>
using Wrapping = typename std::conditional_t<
    !std::is_integral_v<T>, std::type_identity<T>,
    std::conditional_t<(sizeof(T) < sizeof(unsigned)),
                       std::type_identity<unsigned>,
                       std::make_unsigned<T>>>::type;

/// Return the greater or the lesser number, with NaN and zeros as in
/// `buildGreater`.
template <typename T> T greaterOf(T a, T b) {
  if (a != a || b != b)
    return a + b;
  if constexpr (std::is_floating_point_v<T>)
    if (a == b)
      return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename T> T lesserOf(T a, T b) {
  if (a != a || b != b)
    return a + b;
  if constexpr (std::is_floating_point_v<T>)
    if (a == b)
      return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// Returns for each element of the result the index of the element of an
/// operand that broadcasting pairs with it.
std::vector<int64_t> broadcastElements(llvm::ArrayRef<int64_t> operandShape,
                                       llvm::ArrayRef<int64_t> resultShape);

/// Computes results[0][i] = function(operands[0][i]), in the element type.
template <typename Function>
std::string evaluateUnary(llvm::ArrayRef<HostTensor> operands,
                          llvm::MutableArrayRef<HostTensor> results,
                          Function function) {
  visitElementType(results[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    llvm::transform(operands[0].values<T>(), results[0].values<T>().begin(),
                    [&](T x) { return T(function(x)); });
  });
  return {};
}

/// Like evaluateUnary(), but `function` computes in double and its result is
/// rounded once.
template <typename Function>
std::string evaluateFunction(llvm::ArrayRef<HostTensor> operands,
                             llvm::MutableArrayRef<HostTensor> results,
                             Function function) {
  return evaluateUnary(operands, results,
                       [&](auto x) { return function(double(x)); });
}

/// Returns the period, in elements, with which the result repeats an operand in
/// row-major order. This is the number of elements of the operand if its shape
/// without leading 1s is a suffix of the shape of the result, and 0 if
/// broadcasting pairs the elements in another way.
int64_t repeatedElements(llvm::ArrayRef<int64_t> operandShape,
                         llvm::ArrayRef<int64_t> resultShape);

/// Computes result[i] = function(lhs[i], rhs[i]) for `count` elements. If
/// `lhsSteps` or `rhsSteps` is false, the first element of that operand is used
/// for all i.
template <bool lhsSteps, bool rhsSteps, typename Result, typename T,
          typename Function>
void evaluateRun(Result *__restrict result, const T *lhs, const T *rhs,
                 int64_t count, Function function) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = function(lhs[lhsSteps ? i : 0], rhs[rhsSteps ? i : 0]);
}

/// Computes result[i] = function(lhs[i % lhsCount], rhs[i % rhsCount]), without
/// tables of element indices.
template <typename Result, typename T, typename Function>
void evaluateRepeated(llvm::MutableArrayRef<Result> result, const T *lhs,
                      int64_t lhsCount, const T *rhs, int64_t rhsCount,
                      Function function) {
  int64_t total = result.size();
  int64_t run = std::min(lhsCount == 1 ? total : lhsCount,
                         rhsCount == 1 ? total : rhsCount);
  for (int64_t first = 0; first < total; first += run) {
    Result *target = result.data() + first;
    const T *left = lhs + first % lhsCount, *right = rhs + first % rhsCount;
    if (lhsCount == 1)
      evaluateRun<false, true>(target, left, right, run, function);
    else if (rhsCount == 1)
      evaluateRun<true, false>(target, left, right, run, function);
    else
      evaluateRun<true, true>(target, left, right, run, function);
  }
}

/// Computes results[0][i] = function(operands[0][i], operands[1][i]) with
/// broadcasting. The element types of result and operands may differ.
template <typename Function>
std::string evaluateBinary(llvm::ArrayRef<HostTensor> operands,
                           llvm::MutableArrayRef<HostTensor> results,
                           Function function) {
  llvm::ArrayRef<int64_t> shape = results[0].getShape();
  int64_t lhsCount = repeatedElements(operands[0].getShape(), shape);
  int64_t rhsCount = repeatedElements(operands[1].getShape(), shape);
  visitElementType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    using Result = decltype(function(T(), T()));
    llvm::ArrayRef<T> lhs = operands[0].values<T>();
    llvm::ArrayRef<T> rhs = operands[1].values<T>();
    llvm::MutableArrayRef<Result> result = results[0].values<Result>();
    if (lhsCount && rhsCount) {
      evaluateRepeated(result, lhs.data(), lhsCount, rhs.data(), rhsCount,
                       function);
      return;
    }
    std::vector<int64_t> left =
        broadcastElements(operands[0].getShape(), shape);
    std::vector<int64_t> right =
        broadcastElements(operands[1].getShape(), shape);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = function(lhs[left[i]], rhs[right[i]]);
  });
  return {};
}

/// Like evaluateBinary(), for integers and i1; `function` is not called for
/// floats.
template <typename Function>
std::string evaluateBits(llvm::ArrayRef<HostTensor> operands,
                         llvm::MutableArrayRef<HostTensor> results,
                         Function function) {
  return evaluateBinary(operands, results, [&]<typename T>(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return T(function(a, b));
    return a;
  });
}

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_ELEMENTWISE_ELEMENTWISE_H
