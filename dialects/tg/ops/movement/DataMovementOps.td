//===- DataMovementOps.td - ops that move elements without computing ------===//
#ifndef TG_DIALECTS_TG_DATAMOVEMENTOPS_TD
#define TG_DIALECTS_TG_DATAMOVEMENTOPS_TD

include "dialects/tg/ops/movement/Movement.td"

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
    * Gradient: input: slice(g); value: the sum of g minus the sum of the slice.
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
    Pure, Tg_Movable, Tg_Differentiable,
    DeclareOpInterfaceMethods<Tg_ConcatenationOpInterface>,
    DeclareOpInterfaceMethods<Tg_DecomposableOpInterface, ["isComposed"]>]> {
  let summary = "Tensors one after the other along an axis";
  let description = [{
    ```mlir
    %y = tg.concat %a, %b {axis = 1} : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
    ```

    * C1: there is at least one input. C2: equal ranks and element types, and
      the axis is valid [G3]. C3: the other extents are equal where
      static.
    * Gradient: slices of g.
    * More than 64 inputs are first concatenated in groups of 64, because code
      that searches all inputs for an element takes long to compile and to run.
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
