//===- UnaryOps.td - functions of one element -----------------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_UNARYOPS_TD
#define TG_DIALECTS_TG_UNARYOPS_TD

include "dialects/tg/ops/elementwise/Elementwise.td"

//===----------------------------------------------------------------------===//
// abs
//===----------------------------------------------------------------------===//

def Tg_AbsOp : Tg_UnaryOp<"abs", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Absolute value";
  let description = [{
    |x|. The smallest signed integer gives itself; unsigned values are unchanged.

    ```mlir
    %y = tg.abs %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * Gradient: g * sign(x).
  }];
}

//===----------------------------------------------------------------------===//
// neg
//===----------------------------------------------------------------------===//

def Tg_NegOp : Tg_UnaryOp<"neg", Tg_NumericTensor, [Tg_Differentiable, Tg_Linear]> {
  let summary = "Negation";
  let description = [{
    -x; integers wrap.

    ```mlir
    %y = tg.neg %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * Gradient: -g.
  }];
}

//===----------------------------------------------------------------------===//
// sign
//===----------------------------------------------------------------------===//

def Tg_SignOp : Tg_UnaryOp<"sign", Tg_NumericTensor, [Tg_WithoutCotangent]> {
  let summary = "Sign of elements";
  let description = [{
    -1 for x < 0 and 1 for x > 0; +0, -0 and NaN are unchanged.

    ```mlir
    %y = tg.sign %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * Gradient: zero (passes no cotangent).
  }];
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

def Tg_FloorOp : Tg_MathOp<"floor", "FloorOp", Tg_WithoutCotangent> {
  let summary = "Round down";
  let description = [{
    The greatest whole number <= x.

    ```mlir
    %y = tg.floor %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: zero (passes no cotangent).
  }];
}

//===----------------------------------------------------------------------===//
// round
//===----------------------------------------------------------------------===//

def Tg_RoundOp
    : Tg_MathOp<"round", "RoundEvenOp", Tg_WithoutCotangent, "nearbyint"> {
  let summary = "Round to nearest";
  let description = [{
    The nearest whole number, ties to even.

    ```mlir
    %y = tg.round %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: zero (passes no cotangent).
  }];
}

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

def Tg_ExpOp : Tg_MathOp<"exp", "ExpOp", Tg_Differentiable> {
  let summary = "Exponential";
  let transcendental = 1;
  let description = [{
    e^x.

    ```mlir
    %y = tg.exp %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * y.
  }];
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

def Tg_Expm1Op : Tg_MathOp<"expm1", "ExpM1Op", Tg_Differentiable> {
  let summary = "Exponential minus one";
  let transcendental = 1;
  let description = [{
    e^x - 1, accurate near 0.

    ```mlir
    %y = tg.expm1 %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * (y + 1).
  }];
}

//===----------------------------------------------------------------------===//
// log
//===----------------------------------------------------------------------===//

def Tg_LogOp : Tg_MathOp<"log", "LogOp", Tg_Differentiable> {
  let summary = "Natural logarithm";
  let transcendental = 1;
  let description = [{
    ln x; +0 and -0 give -inf, x < 0 gives NaN.

    ```mlir
    %y = tg.log %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g / x.
  }];
}

//===----------------------------------------------------------------------===//
// log1p
//===----------------------------------------------------------------------===//

def Tg_Log1pOp : Tg_MathOp<"log1p", "Log1pOp", Tg_Differentiable> {
  let summary = "Logarithm of one plus x";
  let transcendental = 1;
  let description = [{
    ln(1 + x), accurate near 0.

    ```mlir
    %y = tg.log1p %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g / (1 + x).
  }];
}

//===----------------------------------------------------------------------===//
// sqrt
//===----------------------------------------------------------------------===//

def Tg_SqrtOp : Tg_MathOp<"sqrt", "SqrtOp", Tg_Differentiable> {
  let summary = "Square root";
  let description = [{
    The square root, correctly rounded; -0 gives -0, x < 0 gives NaN.

    ```mlir
    %y = tg.sqrt %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g / (2y).
  }];
}

//===----------------------------------------------------------------------===//
// sin
//===----------------------------------------------------------------------===//

def Tg_SinOp : Tg_MathOp<"sin", "SinOp", Tg_Differentiable> {
  let summary = "Sine";
  let transcendental = 1;
  let description = [{
    The sine of x in radians, accurate also for large x. -0 gives -0; -inf and
    inf give NaN.

    ```mlir
    %y = tg.sin %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * cos(x).
  }];
}

//===----------------------------------------------------------------------===//
// cos
//===----------------------------------------------------------------------===//

def Tg_CosOp : Tg_MathOp<"cos", "CosOp", Tg_Differentiable> {
  let summary = "Cosine";
  let transcendental = 1;
  let description = [{
    The cosine of x in radians, accurate also for large x. -inf and inf give
    NaN.

    ```mlir
    %y = tg.cos %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: -g * sin(x).
  }];
}

//===----------------------------------------------------------------------===//
// atan
//===----------------------------------------------------------------------===//

def Tg_AtanOp : Tg_MathOp<"atan", "AtanOp", Tg_Differentiable> {
  let summary = "Arctangent";
  let transcendental = 1;
  let description = [{
    The angle in radians, from -pi/2 to pi/2, whose tangent is x. -0 gives -0;
    -inf gives -pi/2 and inf gives pi/2.

    ```mlir
    %y = tg.atan %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g / (1 + x^2).
  }];
}

//===----------------------------------------------------------------------===//
// tanh
//===----------------------------------------------------------------------===//

def Tg_TanhOp : Tg_MathOp<"tanh", "TanhOp", Tg_Differentiable> {
  let summary = "Hyperbolic tangent";
  let transcendental = 1;
  let description = [{
    tanh x.

    ```mlir
    %y = tg.tanh %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * (1 - y^2).
  }];
}

//===----------------------------------------------------------------------===//
// sigmoid
//===----------------------------------------------------------------------===//

def Tg_SigmoidOp : Tg_UnaryOp<"sigmoid", Tg_FloatTensor, [Tg_Differentiable]> {
  let summary = "Logistic function";
  let transcendental = 1;
  let description = [{
    1 / (1 + e^-x), without overflow for large |x|.

    ```mlir
    %y = tg.sigmoid %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * y * (1 - y).
  }];
}

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

def Tg_ErfOp : Tg_MathOp<"erf", "ErfOp", Tg_Differentiable> {
  let summary = "Error function";
  let transcendental = 1;
  let description = [{
    erf x.

    ```mlir
    %y = tg.erf %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * Gradient: g * 2/sqrt(pi) * exp(-x^2).
  }];
}

//===----------------------------------------------------------------------===//
// relu
//===----------------------------------------------------------------------===//

def Tg_ReluOp : Tg_UnaryOp<"relu", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Rectified linear unit";
  let description = [{
    x where x > 0, NaN where x is NaN, and +0 elsewhere.

    ```mlir
    %y = tg.relu %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * Gradient: select(y > 0, g, 0).
  }];
}

//===----------------------------------------------------------------------===//
// not
//===----------------------------------------------------------------------===//

def Tg_NotOp : Tg_UnaryOp<"not", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Complement";
  let description = [{
    The logical complement of booleans (i1), the bitwise one of integers.

    ```mlir
    %y = tg.not %p : tensor<?x4xi1>
    ```

    * (ODS): the operand is a tensor of integers or booleans (i1).
    * Not differentiable.
  }];
}

#endif // TG_DIALECTS_TG_UNARYOPS_TD
