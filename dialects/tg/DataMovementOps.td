//===- DataMovementOps.td - ops that place elements without computing -----===//
#ifndef TG_DIALECTS_TG_DATAMOVEMENTOPS_TD
#define TG_DIALECTS_TG_DATAMOVEMENTOPS_TD

include "dialects/tg/TgBase.td"

/// Ops of the family know their result extents and their values.
class Tg_MovementOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>
      ] # traits> {
  let assemblyFormat = Tg_FullForm;
}

/// Each result element is one element of an operand.
def Tg_Movable : DeclareOpInterfaceMethods<Tg_ElementOpInterface>;

/// Run-time numbers that fill the -1 entries of integer lists, in order.
def Tg_Numbers : Variadic<Tg_NumberScalar>;

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

    * C1: a resource is present, its size is exactly that of the type, its
      alignment a power of two up to 4096.
    * Not differentiable.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = inferredDeclaration # [{
    ::mlir::AffineExpr inferNumber(::tg::ShapeInference &inference);
  }];
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

def Tg_IotaOp : Tg_MovementOp<"iota", [
    Pure, Tg_Movable, Tg_NonDifferentiable]> {
  let summary = "The index of each element along one axis";
  let description = [{
    result[i...] = i along `axis`, converted to the element type.

    ```mlir
    %y = tg.iota %n {axis = 0, element_type = i32, shape = [-1, 4]} : (tensor<i64>) -> tensor<?x4xi32>
    ```

    * C1: the axis is valid [G3]. C2: element_type is N.
    * Not differentiable.
  }];
  let arguments = (ins Tg_Numbers:$dynamic, Tg_IntegerListAttr:$shape,
                       I64Attr:$axis,
                       DefaultValuedAttr<Tg_ElementTypeAttr,
                                         "$_builder.getI64Type()">
                         :$element_type);
  let results = (outs Tg_NumericTensor:$result);
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
  let results = (outs Tg_NumberScalar:$result);
  let hasFolder = 1;
  let extraClassDeclaration = inferredDeclaration # [{
    ::mlir::AffineExpr inferNumber(::tg::ShapeInference &inference);
  }];
}

//===----------------------------------------------------------------------===//
// ensure_shape
//===----------------------------------------------------------------------===//

def Tg_EnsureShapeOp : Tg_MovementOp<"ensure_shape", [
    NoMemoryEffect, Tg_Movable, Tg_Differentiable]> {
  let summary = "Identity that checks extents";
  let description = [{
    -1 in `shape` admits any extent and gives `?`, also where the input is
    static.

    ```mlir
    %y = tg.ensure_shape %x {shape = [32, 128]} : (tensor<?x128xf32>) -> tensor<32x128xf32>
    ```

    * C1: shape has the rank of the input. C2: the extents may equal shape.
    * R1: the extents equal shape.
    * Gradient: g, checked back to the type of the input.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IntegerListAttr:$shape);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

def Tg_ReshapeOp : Tg_MovementOp<"reshape", [
    NoMemoryEffect, Tg_Differentiable]> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    With empty `dynamic`, one -1 is inferred from the element count.

    ```mlir
    %y = tg.reshape %x {shape = [-1, 320]} : (tensor<?x10x32xf32>) -> tensor<?x320xf32>
    ```

    * C1: at most one -1 if dynamic is empty, and then no 0 beside it.
      C2: the element counts are equal.
    * R1: the same at run time.
    * Gradient: reshape of g to the shape of the input.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_Numbers:$dynamic,
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
    Pure, Tg_Movable, Tg_Differentiable]> {
  let summary = "Repetition along missing dimensions and static extents of 1";
  let description = [{
    The shapes are aligned at the last dimension. With empty `dynamic`, -1
    copies the extent of the input.

    ```mlir
    %y = tg.broadcast_to %x, %n {shape = [-1, 10]} : (tensor<10xf32>, tensor<i64>) -> tensor<?x10xf32>
    ```

    * C1: the result has at least the rank of the input. C2: each aligned
      extent of the input is a static 1 or may equal the result's. C3: with
      empty dynamic, -1 stands only at an aligned extent that is not static 1.
    * Gradient: the sum of g over the stretched dimensions.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_Numbers:$dynamic,
                       Tg_IntegerListAttr:$shape);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

def Tg_PadOp : Tg_MovementOp<"pad", [
    Pure, Tg_Movable, Tg_Differentiable]> {
  let summary = "A tensor with a border of one value";
  let description = [{
    `low` elements before and `high` elements after each dimension.

    ```mlir
    %y = tg.pad %x, %v {high = [1, 2], low = [0, 2]} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x14xf32>
    ```

    * C1: the lists have the rank of the input and entries of at least 0.
      C2: value has the element type of the input and rank 0.
    * Gradient: input: slice(g); value: the sum of g less that of the slice.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_Tensor:$value,
                       Tg_IntegerListAttr:$low, Tg_IntegerListAttr:$high);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

def Tg_ConcatOp : Tg_MovementOp<"concat", [
    Pure, Tg_Movable, Tg_Differentiable]> {
  let summary = "Tensors one after the other along an axis";
  let description = [{
    ```mlir
    %y = tg.concat %a, %b {axis = 1} : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
    ```

    * C1: there is at least one input. C2: equal ranks and element types, and
      the axis is valid [G3]. C3: the other extents may be equal.
    * Gradient: slices of g.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

def Tg_ReverseOp : Tg_MovementOp<"reverse", [
    Tg_SameType,
    Pure, Tg_Movable, Tg_Differentiable]> {
  let summary = "The elements in opposite order along some axes";
  let description = [{
    ```mlir
    %y = tg.reverse %x {axes = [1]} : tensor<?x10xf32>
    ```

    * C1: the axes are valid [G3].
    * Gradient: reverse of g.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IntegerListAttr:$axes);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_ShortForm;
  let hasFolder = 1;
}

#endif // TG_DIALECTS_TG_DATAMOVEMENTOPS_TD
