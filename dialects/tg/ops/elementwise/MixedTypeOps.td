//===- MixedTypeOps.td - elementwise ops of several element types ---------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_MIXEDTYPEOPS_TD
#define TG_DIALECTS_TG_MIXEDTYPEOPS_TD

include "dialects/tg/ops/elementwise/Elementwise.td"

//===----------------------------------------------------------------------===//
// compare
//===----------------------------------------------------------------------===//

def Tg_Predicate : I32EnumAttr<"Predicate", "a comparison", [
  I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
  I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>
]> {
  let cppNamespace = "::tg";
  let genSpecializedAttr = 0;
}

def Tg_PredicateAttr : EnumAttr<Tg_Dialect, Tg_Predicate, "predicate">;

def Tg_CompareOp : Tg_ElementwiseOp<"compare", [Tg_NonDifferentiable]> {
  let summary = "Comparison of elements";
  let description = [{
    True where lhs and rhs are in the relation that `predicate` names: eq, ne,
    lt, le, gt or ge. A NaN makes ne true and the others false.

    ```mlir
    %p = tg.compare lt, %a, %b
        : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
    ```

    * (ODS): the operands are tensors of any element type.
    * C1: lhs and rhs have one element type. C2: the shapes broadcast. C3: the
      predicate is eq or ne on i1.
    * Not differentiable.
  }];
  let arguments = (ins Tg_PredicateAttr:$predicate, Tg_Tensor:$lhs,
                       Tg_Tensor:$rhs);
  let results = (outs Tg_Tensor:$result);
  // The predicate prints a space of its own.
  let assemblyFormat = !strconcat("`` $predicate `,` ", Tg_FullForm);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

def Tg_SelectOp
    : Tg_ElementwiseOp<"select", [Tg_Differentiable, Tg_Linear]> {
  let summary = "Choice between two elements";
  let description = [{
    lhs where the condition is true, rhs elsewhere. A NaN that is not selected
    has no effect.

    ```mlir
    %y = tg.select %p, %a, %b
        : (tensor<?x10xi1>, tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
    ```

    * (ODS): the condition is a tensor of i1, the others are tensors of any
      element type.
    * C1: lhs and rhs have one element type. C2: all three shapes broadcast.
    * Gradient, each summed over broadcast dimensions: select(condition, g, 0)
      for lhs, select(condition, 0, g) for rhs.
  }];
  let arguments = (ins Tg_BoolTensor:$condition, Tg_Tensor:$lhs,
                       Tg_Tensor:$rhs);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

def Tg_CastOp
    : Tg_ElementwiseOp<"cast", [Tg_Differentiable, Tg_ExtentArithmetic]> {
  let summary = "Conversion of elements";
  let description = [{
    Float to integer truncates toward zero and saturates, NaN gives 0. Integer
    to integer wraps. To i1 is x != 0, and i1 gives 0 or 1. To float rounds to
    nearest even.

    ```mlir
    %y = tg.cast %x {element_type = f32} : (tensor<?xi64>) -> tensor<?xf32>
    ```

    * (ODS): the operand is a tensor of any element type.
    * C4: `element_type` is an element type of tensors.
    * Gradient: cast(g, type of x) from float to float, otherwise zero
      (passes no cotangent).
  }];
  let arguments = (ins Tg_Tensor:$input, TypeAttr:$element_type);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let hasFolder = 1;
}

#endif // TG_DIALECTS_TG_MIXEDTYPEOPS_TD
