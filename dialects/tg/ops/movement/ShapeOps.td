//===- ShapeOps.td - the elements of a tensor under another shape ---------===//
#ifndef TG_DIALECTS_TG_SHAPEOPS_TD
#define TG_DIALECTS_TG_SHAPEOPS_TD

include "dialects/tg/ops/movement/Movement.td"

//===----------------------------------------------------------------------===//
// ensure_shape
//===----------------------------------------------------------------------===//

def Tg_EnsureShapeOp : Tg_MovementOp<"ensure_shape", [
    NoMemoryEffect, Tg_Movable, Tg_ViewOpInterface, Tg_Differentiable,
    DeclareOpInterfaceMethods<Tg_DataDependentSizeOpInterface>]> {
  let summary = "Identity that checks extents";
  let description = [{
    -1 in `shape` admits any extent and gives `?`, even if the input is static.
    `bounds` gives the upper bound of each extent; 0 means no bound. Memory for
    a data-dependent size has room for its bound.

    ```mlir
    %y = tg.ensure_shape %x {shape = [32, 128]} : (tensor<?x128xf32>) -> tensor<32x128xf32>
    ```

    * C1: lists have the rank of the input. C2: static extents equal shape.
      G1: a tensor of the bounds has fewer than 2^63 bytes.
    * R1: the extents equal shape and are at most bounds.
    * Gradient: g, checked back to the type of the input.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IntegerListAttr:$shape,
                       Tg_OptionalListAttr:$bounds);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$shape), [{
      build($_builder, $_state, input, $_builder.getI64ArrayAttr(shape),
            ::mlir::ArrayAttr());
    }]>
  ];
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

def Tg_ReshapeOp : Tg_MovementOp<"reshape", [
    NoMemoryEffect, Tg_ViewOpInterface, Tg_DynamicSizesOpInterface, Tg_Differentiable]> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    With empty `dynamic`, one -1 is inferred from the element count.

    ```mlir
    %y = tg.reshape %x {shape = [-1, 320]} : (tensor<?x10x32xf32>) -> tensor<?x320xf32>
    ```

    * C1: if dynamic is empty, there is at most one -1, and no 0 if there is a
      -1. C2: the element counts are equal.
    * R1: C2 holds at run time.
    * Gradient: reshape of g to the shape of the input.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_DynamicSizes:$dynamic,
                       Tg_IntegerListAttr:$shape);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

def Tg_TransposeOp : Tg_MovementOp<"transpose", [
    Pure, Tg_Movable, Tg_Differentiable]> {
  let summary = "Permutation of the dimensions";
  let description = [{
    Dimension i of the result is dimension permutation[i] of the input.

    ```mlir
    %y = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<?x3x4xf32>) -> tensor<3x?x4xf32>
    ```

    * C1: permutation is a permutation of 0 ... rank-1.
    * Gradient: transpose of g with the inverse permutation.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IntegerListAttr:$permutation);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// broadcast_to
//===----------------------------------------------------------------------===//

def Tg_BroadcastToOp : Tg_MovementOp<"broadcast_to", [
    Pure, Tg_Movable, Tg_Differentiable,
    DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface, ["setCopiedSizes"]>]> {
  let summary = "Repetition along missing dimensions and static extents of 1";
  let description = [{
    The shapes are aligned at the last dimension. With empty `dynamic`, -1
    copies the extent of the input.

    ```mlir
    %y = tg.broadcast_to %x, %n {shape = [-1, 10]} : (tensor<10xf32>, tensor<i64>) -> tensor<?x10xf32>
    ```

    * C1: the result has at least the rank of the input. C2: each aligned
      extent of the input is a static 1, or equal to the result's where static. C3: with
      empty dynamic, -1 stands only at an aligned extent that is not static 1.
    * Gradient: the sum of g over the broadcast dimensions.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_DynamicSizes:$dynamic,
                       Tg_IntegerListAttr:$shape);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

#endif // TG_DIALECTS_TG_SHAPEOPS_TD
