/// Elementwise operations, with broadcasting, and activations.
#ifndef TG_TENSOR_ELEMENTWISE_H
#define TG_TENSOR_ELEMENTWISE_H

#include "tensor.h"

namespace tg {

//===-- Elementwise -------------------------------------------------------===//

/// |x|, and the sign of x: -1, 0 or 1.
Tensor abs(Operand input);
Tensor sign(Operand input);
/// The nearest whole number that is not greater, not less, or not further from
/// 0 than x.
Tensor floor(Operand input);
Tensor ceil(Operand input);
Tensor trunc(Operand input);
/// Rounds to the nearest whole number, with ties to even.
Tensor round(Operand input);
/// eˣ, and eˣ - 1, which is accurate near 0.
Tensor exp(Operand input);
Tensor expm1(Operand input);
/// ln x, and ln(1 + x), which is accurate near 0.
Tensor log(Operand input);
Tensor log1p(Operand input);
/// √x, 1 / √x, x² and 1 / x.
Tensor sqrt(Operand input);
Tensor rsqrt(Operand input);
Tensor square(Operand input);
Tensor reciprocal(Operand input);
/// The error function 2 / √π ∫₀ˣ exp(-t²) dt.
Tensor erf(Operand input);
/// The sine, cosine and tangent of an angle in radians. The tangent is sin x /
/// cos x.
Tensor sin(Operand input);
Tensor cos(Operand input);
Tensor tan(Operand input);
/// The angle in radians whose sine, cosine or tangent is x: in [-π/2, π/2], [0,
/// π] and [-π/2, π/2]. Sine and cosine of x outside [-1, 1] give NaN; at -1 and
/// 1 their slope is infinite.
Tensor asin(Operand input);
Tensor acos(Operand input);
Tensor atan(Operand input);
/// (eˣ - e⁻ˣ) / 2, which is accurate near 0, (eˣ + e⁻ˣ) / 2, and their
/// quotient. No intermediate value overflows unless the result does.
Tensor sinh(Operand input);
Tensor cosh(Operand input);
Tensor tanh(Operand input);
/// 1 / (1 + exp(-x)).
Tensor sigmoid(Operand input);
/// Return true for each element that is NaN, infinite, or finite, respectively.
Tensor isNan(Operand input);
Tensor isInf(Operand input);
Tensor isFinite(Operand input);

/// The power as C's pow computes it: x⁰ = 1 and 1ʸ = 1, also for NaN.
Tensor pow(Operand base, Operand exponent);
/// The greater and the lesser of two elements. The result is NaN if either
/// element is NaN.
Tensor maximum(Operand lhs, Operand rhs);
Tensor minimum(Operand lhs, Operand rhs);
/// The remainder of a division, with the sign of lhs.
Tensor remainder(Operand lhs, Operand rhs);
/// The quotient rounded down, and its remainder, with the sign of rhs.
Tensor floorDiv(Operand lhs, Operand rhs);
Tensor floorMod(Operand lhs, Operand rhs);
/// minimum(maximum(input, low), high).
Tensor clip(Operand input, Operand low, Operand high);
/// Returns the sum of tensors of equal shapes. There must be at least one.
Tensor addN(const Operands &inputs,
            std::source_location where = std::source_location::current());

/// Logical on booleans, bitwise on integers.
Tensor logicalNot(Operand input);
Tensor logicalAnd(Operand lhs, Operand rhs);
Tensor logicalOr(Operand lhs, Operand rhs);
Tensor logicalXor(Operand lhs, Operand rhs);

/// lhs where the condition is true, rhs elsewhere.
Tensor select(Operand condition, Operand lhs, Operand rhs);
/// The same. A condition of rank 1 selects rows if the operands have more
/// dimensions.
Tensor where(Operand condition, Operand lhs, Operand rhs);
/// Converts the elements to another type. Float to integer truncates and
/// saturates; conversion to boolean gives x != 0.
Tensor cast(Operand input, DType dtype);
/// Returns the same value, and blocks gradients through it.
Tensor stopGradient(Operand input);

//===-- Activations -------------------------------------------------------===//

/// max(x, 0).
Tensor relu(Operand input);
/// min(max(x, 0), 6).
Tensor relu6(Operand input);
/// max(x, slope · x). A slope above 1 therefore applies where x > 0.
Tensor leakyRelu(Operand input, double slope = 0.2);
/// x where x > 0, slope · x elsewhere. The slope is broadcast. He et al.,
/// "Delving Deep into Rectifiers", 2015.
Tensor prelu(Operand input, Operand slope);
/// x where x > 0, scale · (eˣ - 1) elsewhere. Clevert et al., "Fast and
/// Accurate Deep Network Learning by Exponential Linear Units", 2015.
Tensor elu(Operand input, double scale = 1);
/// 1.0507 · elu(x, 1.6733), with the constants of Klambauer et al.,
/// "Self-Normalizing Neural Networks", 2017.
Tensor selu(Operand input);
/// ln(1 + eˣ), without overflow.
Tensor softplus(Operand input);
/// x / (1 + |x|).
Tensor softsign(Operand input);
/// ln(sigmoid(x)), without overflow.
Tensor logSigmoid(Operand input);
/// x · Φ(x), where Φ, the normal distribution function, is computed by erf and
/// not approximated by tanh. Hendrycks and Gimpel, "Gaussian Error Linear
/// Units", 2016.
Tensor gelu(Operand input);
/// x · sigmoid(x).
Tensor silu(Operand input);
/// x · tanh(softplus(x)). Misra, "Mish", 2019.
Tensor mish(Operand input);
/// x / 6 + 1 / 2, clipped to [0, 1], and x times this value. Howard et al.,
/// "Searching for MobileNetV3", 2019.
Tensor hardSigmoid(Operand input);
Tensor hardSwish(Operand input);
/// eˣ divided by its sum along the axis, and the logarithm of this quotient,
/// both without overflow.
Tensor softmax(Operand input, int64_t axis = -1);
Tensor logSoftmax(Operand input, int64_t axis = -1);
/// Softmax over the elements where the mask is true, 0 elsewhere. A row without
/// any true element becomes all zeros.
Tensor maskedSoftmax(Operand input, Operand mask, int64_t axis = -1);
/// The maximum of each group of `pieces` neighbours: [..., c] becomes [..., c /
/// pieces], where c is static. Goodfellow et al., "Maxout Networks", 2013.
Tensor maxout(Operand input, int64_t pieces);

} // namespace tg

#endif // TG_TENSOR_ELEMENTWISE_H
