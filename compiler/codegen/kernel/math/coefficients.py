#!/usr/bin/env python3
"""Computes MathCoefficients.h: near-minimax polynomials, rounded to their type.

Fits by least squares on Chebyshev nodes, reweighted by the error of the previous
fit until the error is level (Lawson's algorithm). Rounds one coefficient at a time
and fits the others again. Needs mpmath.
Run: coefficients.py > MathCoefficients.h; takes a few minutes.
"""

import sys
import mpmath as mp

mp.mp.prec = 300
BITS = {"F32": 24, "F64": 53}


def round_to(value, bits):
    """Returns `value` rounded to `bits` significant bits."""
    with mp.workprec(bits):
        return +mp.mpf(value)


def nodes(low, high, count):
    """Returns the Chebyshev nodes of [low, high]."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    return [middle + half * mp.cos(mp.pi * (i + mp.mpf(1) / 2) / count)
            for i in range(count)]


def solve(rows, targets, weights):
    """Solves weighted least squares through the normal equations."""
    size = len(rows[0])
    matrix, right = mp.matrix(size, size), mp.matrix(size, 1)
    for row, target, weight in zip(rows, targets, weights):
        for i in range(size):
            scaled = weight * row[i]
            right[i] += scaled * target
            for j in range(i, size):
                matrix[i, j] += scaled * row[j]
    for i in range(size):
        for j in range(i):
            matrix[i, j] = matrix[j, i]
    return list(mp.lu_solve(matrix, right))


def level(rows, targets, scale, rounds):
    """Returns the near-minimax solution of rows·c ≈ targets; scales error i by scale[i]."""
    weights = [s * s for s in scale]
    best, best_error = None, None
    for _ in range(rounds):
        c = solve(rows, targets, weights)
        errors = [abs(mp.fdot(row, c) - t) * s
                  for row, t, s in zip(rows, targets, scale)]
        worst = max(errors)
        if best is None or worst < best_error:
            best, best_error = c, worst
        weights = [w * (e / worst + mp.mpf(1) / 64)
                   for w, e in zip(weights, errors)]
        total = mp.fsum(weights)
        weights = [w / total for w in weights]
    return best, best_error


def polynomial(name, kind, function, low, high, degree, scale=lambda x: 1):
    """Fits `function` on [low, high]; prints coefficients, lowest first."""
    xs = nodes(low, high, 4 * degree + 24)
    targets = [function(x) for x in xs]
    scales = [scale(x) for x in xs]
    fixed, error = [], 0
    for start in range(degree + 1):
        rows = [[x**k for k in range(start, degree + 1)] for x in xs]
        rest = [t - mp.fdot(fixed, [x**k for k in range(start)])
                for x, t in zip(xs, targets)]
        c, error = level(rows, rest, scales, 14 if start < 2 else 5)
        if start == 0:
            ideal = error
        fixed.append(round_to(c[0], BITS[kind]))
    error = max(abs(mp.polyval(fixed[::-1], x) - t) * s
                for x, t, s in zip(xs, targets, scales))
    emit(name + kind, fixed,
         f"Fit on [{mp.nstr(mp.mpf(low), 5)}, {mp.nstr(mp.mpf(high), 5)}], "
         f"error 2^{mp.nstr(mp.log(error, 2), 4)}", kind)
    print(name, kind, "ideal", mp.nstr(mp.log(ideal, 2), 4), "rounded",
          mp.nstr(mp.log(error, 2), 4), file=sys.stderr)


def hexadecimal(value):
    """Returns a C++ literal of exactly `value`."""
    return float(value).hex().replace("000000p", "p")


def emit(name, values, comment, kind):
    print(f"/// {comment}.")
    print(f"inline constexpr double k{name}[] = {{")
    for value in values:
        print(f"    {hexadecimal(value)},")
    print("};\n")


def expm1_tail(r):
    return (mp.expm1(r) - r) / r**2


def log1p_tail(f):
    return (mp.log1p(f) - f) / f**2


def log_quotient(z):
    """(log((1+s)/(1-s)) - 2s) / s^3 for z = s^2."""
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / s**3


def log_quotient_tail(z):
    """(atanh(s)/s - 1 - z/3) / z^2 for z = s^2."""
    s = mp.sqrt(z)
    return (mp.atanh(s) / s - 1 - z / 3) / z**2


def erf_quotient(u):
    """erf(x)/x - 1 for u = x^2."""
    return mp.erf(mp.sqrt(u)) / mp.sqrt(u) - 1


def erf_at(center):
    return lambda t: mp.erf(t + center)


def erfinv_quotient(w):
    """erfinv(y) / y for w = -log(1 - y^2)."""
    y = mp.sqrt(-mp.expm1(-w))
    x = mp.mpf(mp.erfinv(mp.mpf(y)))
    return x / y


def tanh_tail(u):
    """(tanh(x)/x - 1) / x^2 for u = x^2."""
    x = mp.sqrt(u)
    return (mp.tanh(x) / x - 1) / u


def sin_tail(u):
    """(sin(x)/x - 1) / x^2 for u = x^2."""
    x = mp.sqrt(u)
    return (mp.sin(x) / x - 1) / u


def cos_tail(u):
    """(cos(x) - 1 + x^2/2) / x^4 for u = x^2."""
    return (mp.cos(mp.sqrt(u)) - 1 + u / 2) / u**2


def atan_tail(u):
    """(atan(x)/x - 1) / x^2 for u = x^2."""
    x = mp.sqrt(u)
    return (mp.atan(x) / x - 1) / u


def digits(value, bits, count):
    """Returns the first `count` digits of `value` < 1 to the base 2^bits."""
    found = []
    with mp.workprec(bits * count + 100):
        for _ in range(count):
            value *= 2**bits
            found.append(mp.floor(value))
            value -= found[-1]
    return found


def parts(value, sizes):
    """Returns `value` as a sum of numbers of `sizes` bits, the greatest first."""
    found = []
    for bits in sizes:
        unit = mp.mpf(2)**(mp.floor(mp.log(value, 2)) + 1 - bits)
        found.append(mp.floor(value / unit) * unit)
        value -= found[-1]
    return found


def main():
    print("""// Polynomials of the math expansions; written by coefficients.py.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H

namespace tg::coefficients {
""")
    small = mp.mpf(2) ** -40
    root = mp.sqrt(2)
    ln2 = mp.mpf("0.3485")
    polynomial("Expm1Tail", "F32", expm1_tail, -ln2, ln2, 4, abs)
    polynomial("Expm1Tail", "F64", expm1_tail, -ln2, ln2, 9, abs)
    polynomial("Log1pTail", "F32", log1p_tail, root / 2 - 1, root - 1, 8, abs)
    s = mp.mpf("0.17158")
    polynomial("LogQuotient", "F64", log_quotient, small, s**2, 6)
    polynomial("LogQuotientTail", "F64", log_quotient_tail, small, s**2, 7)
    polynomial("TanhTail", "F32", tanh_tail, small, mp.mpf("0.391"), 4,
               lambda u: u)
    polynomial("ExpOfDouble", "F32", lambda r: mp.exp(2 * r), -ln2 / 2,
               ln2 / 2, 5)
    quarter = mp.mpf("0.6170")
    for kind, degree in (("F32", 2), ("F64", 5)):
        polynomial("SinTail", kind, sin_tail, small, quarter, degree,
                   lambda u: u)
        polynomial("CosTail", kind, cos_tail, small, quarter, degree,
                   lambda u: u**2)
    eighth = (root - 1)**2
    for kind, degree in (("F32", 4), ("F64", 10)):
        polynomial("AtanTail", kind, atan_tail, small, eighth, degree,
                   lambda u: u)
    emit("HalfPiF32", parts(mp.pi / 2, [33, 53]), "π/2 as a sum", "F64")
    emit("HalfPiF64", parts(mp.pi / 2, [33, 33, 33, 53]), "π/2 as a sum", "F64")
    with mp.workprec(1400):
        emit("TwoOverPi", digits(2 / mp.pi, 25, 48),
             "2/π to the base 2^25, highest digit first", "F64")
    polynomial("ErfSmall", "F32", erf_quotient, small, 1, 6)
    polynomial("ErfLarge", "F32", erf_at(2.47), -1.47, 1.47, 14)
    polynomial("ErfSmall", "F64", erf_quotient, small, 1, 12)
    polynomial("ErfMiddle", "F64", erf_at(1.5), -0.5, 0.5, 17)
    polynomial("ErfLarge", "F64", erf_at(2.75), -0.75, 0.75, 19)
    polynomial("ErfTail", "F64", erf_at(4.75), -1.25, 1.25, 20)
    for kind, border, far, near_degree, far_degree in (
            ("F32", 5, mp.mpf("16.0"), 9, 9),):
        polynomial("ErfInvNear", kind,
                   lambda t: erfinv_quotient(t + border / 2), -border / 2 + small,
                   border / 2, near_degree)
        low, high = mp.sqrt(border), mp.sqrt(far)
        polynomial("ErfInvFar", kind,
                   lambda t: erfinv_quotient((t + 3)**2), low - 3, high - 3,
                   far_degree)
    polynomial("ErfInvNear", "F64", lambda t: erfinv_quotient(t + 3.125),
               -3.125 + small, 3.125, 22)
    polynomial("ErfInvMiddle", "F64", lambda t: erfinv_quotient((t + 3.25)**2),
               -0.75, 0.75, 18)
    polynomial("ErfInvFar", "F64", lambda t: erfinv_quotient((t + 5)**2),
               -1, mp.mpf("1.1"), 18)
    print("""} // namespace tg::coefficients

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_MATHCOEFFICIENTS_H""")


main()
