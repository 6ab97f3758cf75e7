//===- BinaryOps.td - functions of two elements of one type ---------------===//
#ifndef TG_DIALECTS_TG_BINARYOPS_TD
#define TG_DIALECTS_TG_BINARYOPS_TD

include "dialects/tg/ops/elementwise/Elementwise.td"

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

def Tg_AddOp
    : Tg_BinaryOp<"add", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic, Tg_Linear]> {
  let summary = "Sum of elements";
  let description = [{
    lhs + rhs.

    ```mlir
    %y = tg.add %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: g for both.
  }];
}

//===----------------------------------------------------------------------===//
// sub
//===----------------------------------------------------------------------===//

def Tg_SubOp
    : Tg_BinaryOp<"sub", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic, Tg_Linear]> {
  let summary = "Difference of elements";
  let description = [{
    lhs - rhs.

    ```mlir
    %y = tg.sub %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: g; -g.
  }];
}

//===----------------------------------------------------------------------===//
// mul
//===----------------------------------------------------------------------===//

def Tg_MulOp
    : Tg_BinaryOp<"mul", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic, Tg_Linear]> {
  let summary = "Product of elements";
  let description = [{
    lhs * rhs.

    ```mlir
    %y = tg.mul %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: g * rhs; g * lhs.
  }];
}

//===----------------------------------------------------------------------===//
// pow
//===----------------------------------------------------------------------===//

def Tg_PowOp : Tg_BinaryOp<"pow", "floating", [Tg_Differentiable]> {
  let summary = "Power of elements";
  let transcendental = 1;
  let description = [{
    lhs ^ rhs as pow of C: x^0 = 1 and 1^y = 1 also for NaN.

    ```mlir
    %y = tg.pow %a, %b : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    ```

    * C1: lhs and rhs have one float element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: select(rhs = 0, 0, g
      * rhs * lhs^(rhs - 1)); select(lhs > 0, g * y * ln(select(lhs > 0,
      lhs, 1)), 0).
  }];
}

//===----------------------------------------------------------------------===//
// maximum
//===----------------------------------------------------------------------===//

def Tg_MaximumOp
    : Tg_BinaryOp<"maximum", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic]> {
  let summary = "Greater of two elements";
  let description = [{
    The greater element; NaN if either is NaN, and -0 < +0.

    ```mlir
    %y = tg.maximum %a, %b
        : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: select(lhs >= rhs, g,
      0) for lhs, select(lhs >= rhs, 0, g) for rhs.
  }];
}

//===----------------------------------------------------------------------===//
// minimum
//===----------------------------------------------------------------------===//

def Tg_MinimumOp
    : Tg_BinaryOp<"minimum", "numeric",
                  [Tg_Differentiable, Tg_ExtentArithmetic]> {
  let summary = "Lesser of two elements";
  let description = [{
    The lesser element; NaN if either is NaN, and -0 < +0.

    ```mlir
    %y = tg.minimum %a, %b
        : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    ```

    * C1: lhs and rhs have one numeric element type. C2: the shapes
      broadcast.
    * Gradient, each summed over broadcast dimensions: select(lhs <= rhs, g,
      0) for lhs, select(lhs <= rhs, 0, g) for rhs.
  }];
}

//===----------------------------------------------------------------------===//
// and
//===----------------------------------------------------------------------===//

def Tg_AndOp : Tg_BinaryOp<"and", "logical", [Tg_NonDifferentiable]> {
  let summary = "Conjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.and %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * C1: lhs and rhs have one integer or boolean element type. C2: the shapes
      broadcast.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// or
//===----------------------------------------------------------------------===//

def Tg_OrOp : Tg_BinaryOp<"or", "logical", [Tg_NonDifferentiable]> {
  let summary = "Disjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.or %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * C1: lhs and rhs have one integer or boolean element type. C2: the shapes
      broadcast.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// xor
//===----------------------------------------------------------------------===//

def Tg_XorOp : Tg_BinaryOp<"xor", "logical", [Tg_NonDifferentiable]> {
  let summary = "Exclusive disjunction";
  let description = [{
    Logical on i1, bitwise on integers.

    ```mlir
    %y = tg.xor %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
    ```

    * C1: lhs and rhs have one integer or boolean element type. C2: the shapes
      broadcast.
    * Not differentiable.
  }];
}

#endif // TG_DIALECTS_TG_BINARYOPS_TD
