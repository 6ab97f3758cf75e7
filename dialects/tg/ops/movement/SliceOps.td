//===- SliceOps.td - boxes of tensors by their start ----------------------===//
#ifndef TG_DIALECTS_TG_SLICEOPS_TD
#define TG_DIALECTS_TG_SLICEOPS_TD

include "dialects/tg/ops/movement/Movement.td"

/// Ops with starts and sizes from operands. A start that cannot be checked on
/// entry is checked when the op runs.
def Tg_BoxNumbers
    : DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                                ["getSizeAttributes", "getSizeBounds"]>;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

def Tg_SliceOp : Tg_MovementOp<"slice", [
    NoMemoryEffect, Tg_Movable, Tg_BoxNumbers, Tg_Differentiable]> {
  let summary = "A strided box of a tensor";
  let description = [{
    Element i of a dimension is input[starts + i * strides]. `dynamic` fills
    the -1 entries of `starts` and then, if there are more operands, all -1
    entries of `sizes`. A -1 of `sizes` without an operand means to the end.

    ```mlir
    %y = tg.slice %x, %t {sizes = [1, -1], starts = [-1, 2], strides = [1, 2]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<1x4xf32>
    ```

    * C1: the lists have the rank of the input. C2: strides are at least 1.
      C3: start <= S and start + (size - 1) * stride < S for size > 0.
    * R1: C3 holds at run time; nothing is clamped.
    * Gradient: update_slice(zeros, g, starts, strides).
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_DynamicSizes:$dynamic,
                       Tg_IntegerListAttr:$starts, Tg_IntegerListAttr:$sizes,
                       Tg_OptionalListAttr:$strides);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// update_slice
//===----------------------------------------------------------------------===//

def Tg_UpdateSliceOp : Tg_MovementOp<"update_slice", [
    NoMemoryEffect, Tg_Movable, Tg_BoxNumbers, Tg_Differentiable]> {
  let summary = "A tensor with a strided box replaced";
  let description = [{
    `base`, in which `update` replaces the elements that a slice with the
    extents of `update` would read.

    ```mlir
    %y = tg.update_slice %x, %u, %t {starts = [-1, 0]} : (tensor<?x10xf32>, tensor<1x10xf32>, tensor<i64>) -> tensor<?x10xf32>
    ```

    * C1: the lists have the rank of base. C2: strides are at least 1.
      C3: as slice, with the extents of update. C4: base and update have equal
      ranks and element types.
    * R1: as slice.
    * Gradient: base: update_slice(g, zeros); update: slice(g).
  }];
  let arguments = (ins Tg_Tensor:$base, Tg_Tensor:$update, Tg_DynamicSizes:$dynamic,
                       Tg_IntegerListAttr:$starts,
                       Tg_OptionalListAttr:$strides);
  let results = (outs Tg_Tensor:$result);
}

#endif // TG_DIALECTS_TG_SLICEOPS_TD
