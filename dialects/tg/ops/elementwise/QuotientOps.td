//===- QuotientOps.td - division of elements of one type ------------------===//
#ifndef TG_DIALECTS_TG_QUOTIENTOPS_TD
#define TG_DIALECTS_TG_QUOTIENTOPS_TD

include "dialects/tg/ops/elementwise/Elementwise.td"

//===----------------------------------------------------------------------===//
// div
//===----------------------------------------------------------------------===//

def Tg_DivOp
    : Tg_BinaryOp<"div", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic, Tg_CheckedDivisor,
                   Tg_Linear]> {
  let summary = "Quotient of elements";
  let description = [{
    lhs / rhs; truncated on integers, MIN / -1 is MIN.

    ```mlir
    %y = tg.div %a, %b : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * R1: no integer divisor is 0.
    * Gradient, each summed over broadcast dimensions: g / rhs; -g * y /
      rhs.
  }];
}

//===----------------------------------------------------------------------===//
// remainder
//===----------------------------------------------------------------------===//

def Tg_RemainderOp
    : Tg_BinaryOp<"remainder", "numeric",
                  [Tg_Differentiable, Tg_CheckedDivisor]> {
  let summary = "Remainder of elements";
  let description = [{
    lhs - rhs * trunc(lhs / rhs) with the sign of lhs, exact; a float
    divisor of 0 gives NaN, MIN rem -1 is 0.

    ```mlir
    %y = tg.remainder %a, %b : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * R1: no integer divisor is 0.
    * Gradient, each summed over broadcast dimensions: g; -g * (lhs - y) /
      rhs.
  }];
}

#endif // TG_DIALECTS_TG_QUOTIENTOPS_TD
