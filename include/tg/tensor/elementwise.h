/// Operations that make each element of a result of the elements at its place,
/// with broadcasting, and activations.
#ifndef TG_TENSOR_ELEMENTWISE_H
#define TG_TENSOR_ELEMENTWISE_H

#include "tensor.h"

namespace tg {

//===-- Elementwise -------------------------------------------------------===//

/// |x|, and -1, 0 or 1 as x is below, at or above 0.
Tensor abs(Operand input);
Tensor sign(Operand input);
/// The nearest whole number that is not greater, not less, not further from 0.
Tensor floor(Operand input);
Tensor ceil(Operand input);
Tensor trunc(Operand input);
/// Ties to even.
Tensor round(Operand input);
/// eˣ, and eˣ - 1, exact near 0.
Tensor exp(Operand input);
Tensor expm1(Operand input);
/// ln x, and ln(1 + x), exact near 0.
Tensor log(Operand input);
Tensor log1p(Operand input);
/// √x, 1 / √x, x² and 1 / x.
Tensor sqrt(Operand input);
Tensor rsqrt(Operand input);
Tensor square(Operand input);
Tensor reciprocal(Operand input);
/// The error function 2 / √π ∫₀ˣ exp(-t²) dt.
Tensor erf(Operand input);
/// Trigonometric functions of radians. The tangent is sin x / cos x.
Tensor sin(Operand input);
Tensor cos(Operand input);
Tensor tan(Operand input);
/// The angle in radians whose sine, cosine or tangent is x: in [-π/2, π/2], [0,
/// π] and [-π/2, π/2]. Sine and cosine of x outside [-1, 1] give NaN; at -1 and
/// 1 their slope is infinite.
Tensor asin(Operand input);
Tensor acos(Operand input);
Tensor atan(Operand input);
/// (eˣ - e⁻ˣ) / 2, exact near 0, (eˣ + e⁻ˣ) / 2, and their quotient; no
/// intermediate value overflows where the result does not.
Tensor sinh(Operand input);
Tensor cosh(Operand input);
Tensor tanh(Operand input);
/// 1 / (1 + exp(-x)).
Tensor sigmoid(Operand input);
/// Truth values: is the element NaN, infinite, neither.
Tensor isNan(Operand input);
Tensor isInf(Operand input);
Tensor isFinite(Operand input);

/// As C's: x⁰ = 1 and 1ʸ = 1, also for NaN.
Tensor pow(Operand base, Operand exponent);
/// The greater, the lesser of two elements; NaN if either is.
Tensor maximum(Operand lhs, Operand rhs);
Tensor minimum(Operand lhs, Operand rhs);
/// With the sign of lhs.
Tensor remainder(Operand lhs, Operand rhs);
/// Rounded down, and the remainder of that, with the sign of rhs.
Tensor floorDiv(Operand lhs, Operand rhs);
Tensor floorMod(Operand lhs, Operand rhs);
/// minimum(maximum(input, low), high).
Tensor clip(Operand input, Operand low, Operand high);
/// The sum of tensors of equal shapes; at least one.
Tensor addN(const Operands &inputs,
            std::source_location where = std::source_location::current());

/// Logical on truth values, bitwise on integers.
Tensor logicalNot(Operand input);
Tensor logicalAnd(Operand lhs, Operand rhs);
Tensor logicalOr(Operand lhs, Operand rhs);
Tensor logicalXor(Operand lhs, Operand rhs);

/// lhs where the condition holds, rhs elsewhere.
Tensor select(Operand condition, Operand lhs, Operand rhs);
/// The same; a condition of rank 1 chooses rows, where operands have more
/// dimensions.
Tensor where(Operand condition, Operand lhs, Operand rhs);
/// Float to integer truncates and saturates; to boolean: is not 0.
Tensor cast(Operand input, DType dtype);
/// The same value, which no gradient passes.
Tensor stopGradient(Operand input);

//===-- Activations -------------------------------------------------------===//

/// max(x, 0).
Tensor relu(Operand input);
/// min(max(x, 0), 6).
Tensor relu6(Operand input);
/// max(x, slope · x), so a slope above 1 counts where x > 0.
Tensor leakyRelu(Operand input, double slope = 0.2);
/// x where x > 0, slope · x elsewhere; the slope is broadcast. He et al.,
/// "Delving Deep into Rectifiers", 2015.
Tensor prelu(Operand input, Operand slope);
/// x where x > 0, scale · (eˣ - 1) elsewhere. Clevert et al., "Fast and
/// Accurate Deep Network Learning by Exponential Linear Units", 2015.
Tensor elu(Operand input, double scale = 1);
/// 1.0507 · elu(x, 1.6733), by the numbers of Klambauer et al.,
/// "Self-Normalizing Neural Networks", 2017.
Tensor selu(Operand input);
/// ln(1 + eˣ), without overflow.
Tensor softplus(Operand input);
/// x / (1 + |x|).
Tensor softsign(Operand input);
/// ln(sigmoid(x)), without overflow.
Tensor logSigmoid(Operand input);
/// x · Φ(x), with the distribution function by erf and not by tanh. Hendrycks
/// and Gimpel, "Gaussian Error Linear Units", 2016.
Tensor gelu(Operand input);
/// x · sigmoid(x).
Tensor silu(Operand input);
/// x · tanh(softplus(x)). Misra, "Mish", 2019.
Tensor mish(Operand input);
/// x / 6 + 1 / 2, at least 0 and at most 1; and x times that. Howard et al.,
/// "Searching for MobileNetV3", 2019.
Tensor hardSigmoid(Operand input);
Tensor hardSwish(Operand input);
/// eˣ over its sum along the axis, and its logarithm, without overflow.
Tensor softmax(Operand input, int64_t axis = -1);
Tensor logSoftmax(Operand input, int64_t axis = -1);
/// Softmax over the places where the mask holds, 0 elsewhere; a row without
/// any is all zeros.
Tensor maskedSoftmax(Operand input, Operand mask, int64_t axis = -1);
/// The greatest of each `pieces` neighbours: [..., c] to [..., c / pieces], c
/// known. Goodfellow et al., "Maxout Networks", 2013.
Tensor maxout(Operand input, int64_t pieces);

} // namespace tg

#endif // TG_TENSOR_ELEMENTWISE_H
