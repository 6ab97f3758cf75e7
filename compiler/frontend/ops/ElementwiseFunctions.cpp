//===- ElementwiseFunctions.cpp - arithmetic, comparisons, activations ----===//
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/functional.h"
#include "tg/tensor/host.h"

#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Functions of one tensor that build a single op.
#define TG_UNARY(function, op)                                                 \
  Tensor tg::function(Operand input) { return call(op, {input}); }
TG_UNARY(operator-, "neg")
TG_UNARY(abs, "abs")
TG_UNARY(sign, "sign")
TG_UNARY(floor, "floor")
TG_UNARY(round, "round")
TG_UNARY(exp, "exp")
TG_UNARY(expm1, "expm1")
TG_UNARY(log, "log")
TG_UNARY(log1p, "log1p")
TG_UNARY(sqrt, "sqrt")
TG_UNARY(erf, "erf")
TG_UNARY(sin, "sin")
TG_UNARY(cos, "cos")
TG_UNARY(atan, "atan")
TG_UNARY(tanh, "tanh")
TG_UNARY(sigmoid, "sigmoid")
TG_UNARY(relu, "relu")
TG_UNARY(logicalNot, "not")
TG_UNARY(operator~, "not")
TG_UNARY(stopGradient, "stop_gradient")
#undef TG_UNARY

/// Functions of two tensors that build a single op.
#define TG_BINARY(function, op)                                                \
  Tensor tg::function(Operand lhs, Operand rhs) { return call(op, {lhs, rhs}); }
TG_BINARY(operator+, "add")
TG_BINARY(operator-, "sub")
TG_BINARY(operator*, "mul")
TG_BINARY(operator/, "div")
TG_BINARY(operator%, "remainder")
TG_BINARY(operator&, "and")
TG_BINARY(operator|, "or")
TG_BINARY(operator^, "xor")
TG_BINARY(remainder, "remainder")
TG_BINARY(maximum, "maximum")
TG_BINARY(minimum, "minimum")
TG_BINARY(logicalAnd, "and")
TG_BINARY(logicalOr, "or")
TG_BINARY(logicalXor, "xor")
#undef TG_BINARY

/// Compound assignments. They make the handle on the left refer to a new
/// tensor.
#define TG_COMPOUND(OP)                                                        \
  Tensor &tg::operator OP## = (Tensor & lhs, Operand rhs) {                    \
    return lhs = Operand(lhs, rhs.where()) OP rhs;                             \
  }
TG_COMPOUND(+)
TG_COMPOUND(-)
TG_COMPOUND(*)
TG_COMPOUND(/)
TG_COMPOUND(%)
TG_COMPOUND(&)
TG_COMPOUND(|)
TG_COMPOUND(^)
#undef TG_COMPOUND

/// Comparisons.
#define TG_COMPARISON(function, word)                                          \
  Tensor tg::function(Operand lhs, Operand rhs) {                              \
    return call("compare", {lhs, rhs},                                         \
                {{"predicate", Attribute::Predicate{word}}});                  \
  }
TG_COMPARISON(operator==, "eq")
TG_COMPARISON(operator!=, "ne")
TG_COMPARISON(operator<, "lt")
TG_COMPARISON(operator<=, "le")
TG_COMPARISON(operator>, "gt")
TG_COMPARISON(operator>=, "ge")
#undef TG_COMPARISON

Tensor tg::operator!(Operand input) {
  if (input.tensor().dtype() != boolean)
    raise("expected booleans to negate, found another element type; ~ "
          "inverts the bits of integers",
          input.tensor().body(), input.where());
  return call("not", {input});
}

Tensor tg::select(Operand condition, Operand lhs, Operand rhs) {
  if (lhs.isNumber() && rhs.isNumber())
    lhs = {scalar(condition.tensor().body(), lhs.number(), f32, lhs.where()),
           lhs.where()};
  return call("select",
              {condition, toTensorLike(lhs, rhs), toTensorLike(rhs, lhs)});
}

Tensor tg::where(Operand condition, Operand lhs, Operand rhs) {
  int64_t rank = 1;
  for (const Operand *side : {&lhs, &rhs})
    if (!side->isNumber())
      rank = std::max(rank, side->tensor().rank());
  if (condition.tensor().rank() != 1)
    rank = 1;
  Scope scope(condition);
  Tensor rows = condition;
  for (int64_t axis = 1; axis < rank; ++axis)
    rows = expandDims(rows, axis);
  return select({rows, condition.where()}, lhs, rhs);
}

Tensor tg::cast(Operand input, DType dtype) {
  if (input.tensor().dtype() == dtype)
    return input;
  return call("cast", {input}, {{"element_type", dtype}});
}

/// Computes x to a power from 1 to 16 by multiplications.
static Tensor power(Tensor base, int exponent) {
  Tensor result;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0)
      result = result.isDefined() ? result * base : base;
    if (exponent > 1)
      base = base * base;
  }
  return result;
}

Tensor tg::pow(Operand base, Operand exponent) {
  double number = exponent.number();
  bool isSmall = exponent.isNumber() && !base.isNumber() &&
                 number == std::trunc(number) && number >= 1 && number <= 16;
  if (!isSmall)
    return call("pow", {base, exponent});
  Scope scope(base);
  return power(base, static_cast<int>(number));
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

Tensor tg::square(Operand input) { return input * input; }
Tensor tg::reciprocal(Operand input) { return 1.0 / input; }

Tensor tg::rsqrt(Operand input) {
  Scope scope(input);
  return 1.0 / sqrt(input);
}

Tensor tg::ceil(Operand input) {
  Scope scope(input);
  return -floor(-input);
}

Tensor tg::trunc(Operand input) {
  Scope scope(input);
  return select(input < 0.0, ceil(input), floor(input));
}

Tensor tg::tan(Operand input) {
  Scope scope(input);
  return sin(input) / cos(input);
}

/// Computes twice the arc tangent of tan(a / 2), where a is the result. Writing
/// 1 - x² as (1 - x)(1 + x) avoids cancellation near 1. A square root of each
/// factor, instead of one of the product, avoids a gradient of 0 times
/// infinity, which is NaN.
Tensor tg::asin(Operand input) {
  Scope scope(input);
  return 2.0 * atan(input / (1.0 + sqrt(1.0 - input) * sqrt(1.0 + input)));
}

/// Computes four times the arc tangent of tan(a / 4), where a is the result.
/// tan(a / 4) = sin(a / 2) / (1 + cos(a / 2)) is finite for every a in [0, π].
Tensor tg::acos(Operand input) {
  Scope scope(input);
  Tensor sine = sqrt(0.5 - 0.5 * input);
  Tensor cosine = sqrt(0.5 + 0.5 * input);
  return 4.0 * atan(sine / (1.0 + cosine));
}

namespace {
/// e^(x/2) - 1 and e^(-x/2) - 1.
struct HalfExponentials {
  explicit HalfExponentials(const Operand &input)
      : up(expm1(0.5 * input)), down(expm1(-0.5 * input)) {}
  Tensor up, down;
};
} // namespace

/// Returns 2 sinh(x/2) cosh(x/2).
static Tensor buildSinh(const Operand &input) {
  HalfExponentials half(input);
  return 0.5 * (half.up - half.down) * (half.up + half.down + 2.0);
}

/// Returns 1 + 2 sinh²(x/2), which avoids cancellation near 0.
static Tensor buildCosh(const Operand &input) {
  HalfExponentials half(input);
  Tensor twice = half.up - half.down;
  return 0.5 * twice * twice + 1.0;
}

/// Returns function(input), with slope(input) as its derivative. The gradient
/// of the formula itself has an intermediate result of about 2 cosh x, which
/// overflows before cosh x does.
static Tensor withSlope(const Operand &input,
                        Tensor (*function)(const Operand &),
                        Tensor (*slope)(const Operand &)) {
  using List = std::vector<Tensor>;
  return customGradient(
      {input}, [=](const List &inputs) { return List{function(inputs[0])}; },
      [=](const List &inputs, const List &, const List &cotangents) {
        return List{cotangents[0] * slope(inputs[0])};
      },
      input.where())[0];
}

Tensor tg::sinh(Operand input) {
  Scope scope(input);
  return withSlope(input, buildSinh, buildCosh);
}

Tensor tg::cosh(Operand input) {
  Scope scope(input);
  return withSlope(input, buildCosh, buildSinh);
}

Tensor tg::isNan(Operand input) { return input != input; }

Tensor tg::isInf(Operand input) {
  Scope scope(input);
  return abs(input) == std::numeric_limits<double>::infinity();
}

Tensor tg::isFinite(Operand input) {
  Scope scope(input);
  return abs(input) < std::numeric_limits<double>::infinity();
}

Tensor tg::floorMod(Operand lhs, Operand rhs) {
  Scope scope(lhs.isNumber() ? rhs : lhs);
  lhs = toTensorLike(lhs, rhs);
  rhs = toTensorLike(rhs, lhs);
  Tensor modulo = remainder(lhs, rhs);
  Tensor differs =
      logicalAnd(modulo != 0.0, logicalXor(modulo < 0.0, rhs < 0.0));
  return select(differs, modulo + rhs, modulo);
}

Tensor tg::floorDiv(Operand lhs, Operand rhs) {
  Scope scope(lhs.isNumber() ? rhs : lhs);
  lhs = toTensorLike(lhs, rhs);
  rhs = toTensorLike(rhs, lhs);
  DType dtype = lhs.tensor().dtype();
  if (isFloat(dtype))
    return floor(lhs / rhs);
  Tensor modulo = remainder(lhs, rhs);
  Tensor differs = logicalAnd(modulo != 0.0, logicalXor(lhs < 0.0, rhs < 0.0));
  return lhs / rhs - cast(differs, dtype);
}

Tensor tg::clip(Operand input, Operand low, Operand high) {
  Scope scope(input);
  return minimum(maximum(input, low), high);
}

Tensor tg::addN(const Operands &inputs, std::source_location where) {
  bodyOf(inputs, where);
  Tensor sum = inputs.front();
  for (size_t i = 1; i < inputs.size(); ++i)
    sum = Operand(sum, inputs[i].where()) + inputs[i];
  return sum;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Tensor tg::relu6(Operand input) {
  Scope scope(input);
  return minimum(relu(input), 6.0);
}

Tensor tg::leakyRelu(Operand input, double slope) {
  Scope scope(input);
  Tensor isGreater = slope <= 1 ? input > 0.0 : input < 0.0;
  return select(isGreater, input, slope * input);
}

Tensor tg::prelu(Operand input, Operand slope) {
  Scope scope(input);
  slope = toTensorLike(slope, input);
  return 0.5 * ((1.0 + slope) * input + (1.0 - slope) * abs(input));
}

Tensor tg::elu(Operand input, double scale) {
  Scope scope(input);
  return select(input > 0.0, input, scale * expm1(minimum(input, 0.0)));
}

Tensor tg::selu(Operand input) {
  Scope scope(input);
  return 1.0507009873554805 * elu(input, 1.6732632423543772);
}

Tensor tg::softplus(Operand input) {
  Scope scope(input);
  Tensor isPositive = input >= 0.0;
  return select(isPositive, input, 0.0) +
         log1p(exp(select(isPositive, -input, input)));
}

Tensor tg::softsign(Operand input) {
  Scope scope(input);
  return input / (1.0 + abs(input));
}

Tensor tg::logSigmoid(Operand input) {
  Scope scope(input);
  return -softplus(-input);
}

/// Computes x (0.5 + 0.5 erf(x / √2)), so that the gradient of the product
/// needs only x and the factor in parentheses. The form 0.5 x (1 + erf(x / √2))
/// would also need 0.5 x.
Tensor tg::gelu(Operand input) {
  Scope scope(input);
  return input * (0.5 + 0.5 * erf(input * (1 / std::sqrt(2.0))));
}

Tensor tg::silu(Operand input) {
  Scope scope(input);
  return input * sigmoid(input);
}

Tensor tg::mish(Operand input) {
  Scope scope(input);
  return input * tanh(softplus(input));
}

Tensor tg::hardSigmoid(Operand input) {
  Scope scope(input);
  return clip(input / 6.0 + 0.5, 0.0, 1.0);
}

Tensor tg::hardSwish(Operand input) {
  Scope scope(input);
  return input * hardSigmoid(input);
}

Tensor tg::softmax(Operand input, int64_t axis) {
  return call("softmax", {input}, {{"axis", resolveAxis(input, axis)}});
}

Tensor tg::logSoftmax(Operand input, int64_t axis) {
  return call("log_softmax", {input}, {{"axis", resolveAxis(input, axis)}});
}

Tensor tg::maskedSoftmax(Operand input, Operand mask, int64_t axis) {
  Scope scope(input);
  Tensor scores = select(mask, input, lowestOf(input.tensor().dtype()));
  return select(mask, softmax(scores, axis), 0.0);
}

Tensor tg::maxout(Operand input, int64_t pieces) {
  Scope scope(input);
  const BodyPtr &body = input.tensor().body();
  int64_t channels =
      input.tensor().dim(-1, body->effectivePlace(input.where()));
  if (pieces < 1 || channels % pieces != 0)
    raise("expected a number of pieces that divides the last extent (" +
              std::to_string(channels) + "), found " + std::to_string(pieces),
          body, input.where());
  std::vector<int64_t> shape = extentList(input);
  std::vector<int64_t> sources;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == -1)
      sources.push_back(static_cast<int64_t>(axis));
  shape.back() = channels / pieces;
  shape.push_back(pieces);
  return reduceMax(reshapeFrom(input, shape, sources), {{-1}});
}
