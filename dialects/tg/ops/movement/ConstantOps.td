//===- ConstantOps.td - constants, iota and dim ---------------------------===//
#ifndef TG_DIALECTS_TG_CONSTANTOPS_TD
#define TG_DIALECTS_TG_CONSTANTOPS_TD

include "dialects/tg/ops/movement/Movement.td"

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

def Tg_ConstantOp : Tg_MovementOp<"constant", [
    Pure, ConstantLike, Tg_Movable, Tg_NonDifferentiable]> {
  let summary = "A tensor of given values";
  let description = [{
    ```mlir
    %c = tg.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```

    * C1: the value is `dense<...>` or `dense_resource<...>` of a ranked
      tensor; a resource is present, its size is exactly the size of the type,
      and its alignment is a power of two up to 4096.
    * Not differentiable.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = inferredDeclaration # [{
    ::mlir::AffineExpr inferSize(::tg::ShapeInference &inference);
  }];
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

def Tg_IotaOp : Tg_MovementOp<"iota", [
    Pure, Tg_Movable, Tg_DynamicSizesOpInterface, Tg_NonDifferentiable]> {
  let summary = "The index of each element along one axis";
  let description = [{
    result[i...] = i along `axis`, converted to the element type.

    ```mlir
    %y = tg.iota %n {axis = 0, element_type = i32, shape = [-1, 4]} : (tensor<i64>) -> tensor<?x4xi32>
    ```

    * C1: the axis is valid [G3]. C2: element_type is a float or an
      integer type.
    * Not differentiable.
  }];
  let arguments = (ins Tg_DynamicSizes:$dynamic, Tg_IntegerListAttr:$shape,
                       I64Attr:$axis,
                       DefaultValuedAttr<Tg_ElementTypeAttr,
                                         "$_builder.getI64Type()">
                         :$element_type);
  let results = (outs Tg_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// dim
//===----------------------------------------------------------------------===//

def Tg_DimOp : Tg_MovementOp<"dim", [
    Pure, Tg_Movable, Tg_NonDifferentiable]> {
  let summary = "The extent of a tensor on one axis";
  let description = [{
    ```mlir
    %n = tg.dim %x {axis = 0} : (tensor<?x10xf32>) -> tensor<i64>
    ```

    * C1: the axis is valid [G3].
    * Not differentiable.
  }];
  let arguments = (ins Tg_Tensor:$input, I64Attr:$axis);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
  let extraClassDeclaration = inferredDeclaration # [{
    ::mlir::AffineExpr inferSize(::tg::ShapeInference &inference);
  }];
}

#endif // TG_DIALECTS_TG_CONSTANTOPS_TD
