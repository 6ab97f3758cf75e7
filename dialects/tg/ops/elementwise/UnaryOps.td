//===- UnaryOps.td - functions of one element -----------------------------===//
#ifndef TG_DIALECTS_TG_UNARYOPS_TD
#define TG_DIALECTS_TG_UNARYOPS_TD

include "dialects/tg/ops/elementwise/Elementwise.td"

//===----------------------------------------------------------------------===//
// abs
//===----------------------------------------------------------------------===//

def Tg_AbsOp : Tg_UnaryOp<"abs", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Absolute value";
  let description = [{
    |x|; abs(MIN) is MIN, ui8 gives itself.

    ```mlir
    %y = tg.abs %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
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

    * (ODS): the operand is a tensor of N.
    * Gradient: -g.
  }];
}

//===----------------------------------------------------------------------===//
// sign
//===----------------------------------------------------------------------===//

def Tg_SignOp : Tg_UnaryOp<"sign", Tg_NumericTensor, [Tg_WithoutCotangent]> {
  let summary = "Sign of elements";
  let description = [{
    -1, 0 or 1; +0, -0 and NaN give themselves.

    ```mlir
    %y = tg.sign %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

def Tg_FloorOp : Tg_FunctionOp<"floor", "FloorOp", Tg_WithoutCotangent> {
  let summary = "Round down";
  let description = [{
    The greatest whole number <= x.

    ```mlir
    %y = tg.floor %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// round
//===----------------------------------------------------------------------===//

def Tg_RoundOp
    : Tg_FunctionOp<"round", "RoundEvenOp", Tg_WithoutCotangent, "nearbyint"> {
  let summary = "Round to nearest";
  let description = [{
    The nearest whole number, ties to even.

    ```mlir
    %y = tg.round %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: none.
  }];
}

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

def Tg_ExpOp : Tg_FunctionOp<"exp", "ExpOp", Tg_Differentiable> {
  let summary = "Exponential";
  let transcendental = 1;
  let description = [{
    e^x.

    ```mlir
    %y = tg.exp %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * y.
  }];
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

def Tg_Expm1Op : Tg_FunctionOp<"expm1", "ExpM1Op", Tg_Differentiable> {
  let summary = "Exponential minus one";
  let transcendental = 1;
  let description = [{
    e^x - 1, accurate near 0.

    ```mlir
    %y = tg.expm1 %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * (y + 1).
  }];
}

//===----------------------------------------------------------------------===//
// log
//===----------------------------------------------------------------------===//

def Tg_LogOp : Tg_FunctionOp<"log", "LogOp", Tg_Differentiable> {
  let summary = "Natural logarithm";
  let transcendental = 1;
  let description = [{
    ln x; +0 and -0 give -inf, x < 0 gives NaN.

    ```mlir
    %y = tg.log %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / x.
  }];
}

//===----------------------------------------------------------------------===//
// log1p
//===----------------------------------------------------------------------===//

def Tg_Log1pOp : Tg_FunctionOp<"log1p", "Log1pOp", Tg_Differentiable> {
  let summary = "Logarithm of one plus x";
  let transcendental = 1;
  let description = [{
    ln(1 + x), accurate near 0.

    ```mlir
    %y = tg.log1p %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / (1 + x).
  }];
}

//===----------------------------------------------------------------------===//
// sqrt
//===----------------------------------------------------------------------===//

def Tg_SqrtOp : Tg_FunctionOp<"sqrt", "SqrtOp", Tg_Differentiable> {
  let summary = "Square root";
  let description = [{
    The square root, correctly rounded; -0 gives -0, x < 0 gives NaN.

    ```mlir
    %y = tg.sqrt %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / (2y).
  }];
}

//===----------------------------------------------------------------------===//
// sin
//===----------------------------------------------------------------------===//

def Tg_SinOp : Tg_FunctionOp<"sin", "SinOp", Tg_Differentiable> {
  let summary = "Sine";
  let transcendental = 1;
  let description = [{
    sin x of radians, for every finite x; -0 gives -0, -inf and inf give NaN.

    ```mlir
    %y = tg.sin %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * cos(x).
  }];
}

//===----------------------------------------------------------------------===//
// cos
//===----------------------------------------------------------------------===//

def Tg_CosOp : Tg_FunctionOp<"cos", "CosOp", Tg_Differentiable> {
  let summary = "Cosine";
  let transcendental = 1;
  let description = [{
    cos x of radians, for every finite x; -inf and inf give NaN.

    ```mlir
    %y = tg.cos %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: -g * sin(x).
  }];
}

//===----------------------------------------------------------------------===//
// atan
//===----------------------------------------------------------------------===//

def Tg_AtanOp : Tg_FunctionOp<"atan", "AtanOp", Tg_Differentiable> {
  let summary = "Arctangent";
  let transcendental = 1;
  let description = [{
    The angle in radians, from -pi/2 to pi/2, whose tangent is x; -0 gives -0,
    -inf and inf give the ends.

    ```mlir
    %y = tg.atan %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g / (1 + x^2).
  }];
}

//===----------------------------------------------------------------------===//
// tanh
//===----------------------------------------------------------------------===//

def Tg_TanhOp : Tg_FunctionOp<"tanh", "TanhOp", Tg_Differentiable> {
  let summary = "Hyperbolic tangent";
  let transcendental = 1;
  let description = [{
    tanh x.

    ```mlir
    %y = tg.tanh %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
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
    1 / (1 + e^-x), without overflow at either end.

    ```mlir
    %y = tg.sigmoid %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * y * (1 - y).
  }];
}

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

def Tg_ErfOp : Tg_FunctionOp<"erf", "ErfOp", Tg_Differentiable> {
  let summary = "Error function";
  let transcendental = 1;
  let description = [{
    erf x.

    ```mlir
    %y = tg.erf %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of F.
    * Gradient: g * 2/sqrt(pi) * exp(-x^2).
  }];
}

//===----------------------------------------------------------------------===//
// relu
//===----------------------------------------------------------------------===//

def Tg_ReluOp : Tg_UnaryOp<"relu", Tg_NumericTensor, [Tg_Differentiable]> {
  let summary = "Rectified linear unit";
  let description = [{
    x where x > 0, NaN where x is NaN, +0 elsewhere.

    ```mlir
    %y = tg.relu %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of N.
    * Gradient: select(y > 0, g, 0).
  }];
}

//===----------------------------------------------------------------------===//
// not
//===----------------------------------------------------------------------===//

def Tg_NotOp : Tg_UnaryOp<"not", Tg_LogicalTensor, [Tg_NonDifferentiable]> {
  let summary = "Complement";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.not %p : tensor<?x4xi1>
    ```

    * (ODS): the operand is a tensor of I or i1.
    * Not differentiable.
  }];
}

#endif // TG_DIALECTS_TG_UNARYOPS_TD
