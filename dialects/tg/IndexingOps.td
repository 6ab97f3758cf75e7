//===- IndexingOps.td - parts of tensors by start or by index -------------===//
#ifndef TG_DIALECTS_TG_INDEXINGOPS_TD
#define TG_DIALECTS_TG_INDEXINGOPS_TD

include "dialects/tg/DataMovementOps.td"

/// A list that may be absent and then means ones.
def Tg_OptionalListAttr : OptionalAttr<Tg_IntegerListAttr>;

/// The index operand takes no cotangent and is checked at run time.
def Tg_IndexedGradient
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface,
                                ["passesGradient"]>;
def Tg_CheckedIndices
    : DeclareOpInterfaceMethods<Tg_CheckedOpInterface, ["getIndexBound"]>;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

def Tg_SliceOp : Tg_MovementOp<"slice", [
    NoMemoryEffect, Tg_Movable, Tg_Differentiable]> {
  let summary = "A strided box of a tensor";
  let description = [{
    Element i of a dimension is input[starts + i * strides]. `dynamic` fills
    the -1 entries of `starts` and then, if there are more, all those of
    `sizes`; an unfilled -1 of `sizes` means to the end.

    ```mlir
    %y = tg.slice %x, %t {sizes = [1, -1], starts = [-1, 2], strides = [1, 2]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<1x4xf32>
    ```

    * C1: the lists have the rank of the input. C2: strides are at least 1.
      C3: start <= S and start + (size - 1) * stride < S for size > 0.
    * R1: the same at run time; nothing is clamped.
    * Gradient: update_slice(zeros, g, starts, strides).
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_Numbers:$dynamic,
                       Tg_IntegerListAttr:$starts, Tg_IntegerListAttr:$sizes,
                       Tg_OptionalListAttr:$strides);
  let results = (outs Tg_Tensor:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// update_slice
//===----------------------------------------------------------------------===//

def Tg_UpdateSliceOp : Tg_MovementOp<"update_slice", [
    NoMemoryEffect, Tg_Movable, Tg_Differentiable]> {
  let summary = "A tensor with a strided box replaced";
  let description = [{
    `base` with the elements that a slice of the extents of `update` would
    read replaced by `update`.

    ```mlir
    %y = tg.update_slice %x, %u, %t {starts = [-1, 0]} : (tensor<?x10xf32>, tensor<1x10xf32>, tensor<i64>) -> tensor<?x10xf32>
    ```

    * C1: the lists have the rank of base. C2: strides are at least 1.
      C3: as slice, with the extents of update. C4: base and update have equal
      ranks and element types.
    * R1: as slice.
    * Gradient: base: update_slice(g, zeros); update: slice(g).
  }];
  let arguments = (ins Tg_Tensor:$base, Tg_Tensor:$update, Tg_Numbers:$dynamic,
                       Tg_IntegerListAttr:$starts,
                       Tg_OptionalListAttr:$strides);
  let results = (outs Tg_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

def Tg_GatherOp : Tg_MovementOp<"gather", [
    NoMemoryEffect, Tg_Movable,
    Tg_IndexedGradient, Tg_CheckedIndices]> {
  let summary = "Slices of a tensor picked by indices";
  let description = [{
    result[b, p, q, r] = input[b, p, indices[b, q], r] with `batch_dims`
    dimensions b in common and p the further ones before `axis`. The shape is
    input[:axis] + indices[batch_dims:] + input[axis+1:].

    ```mlir
    %y = tg.gather %x, %i : (tensor<1000x64xf32>, tensor<?x20xi32>) -> tensor<?x20x64xf32>
    ```

    * C1: the axis is valid [G3], batch_dims <= axis, batch_dims <= rank of
      indices. C2: the batch extents may be equal.
    * R1: 0 <= index < S[axis].
    * Gradient: input: scatter(zeros, indices, g); indices: none.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Tg_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

def Tg_ScatterOp : Tg_MovementOp<"scatter", [
    NoMemoryEffect,
    Tg_IndexedGradient, Tg_CheckedIndices]> {
  let summary = "A tensor with elements added at indexed places";
  let description = [{
    `base` with every element of `updates` added at the place where gather
    would read it, in row-major order of the updates.

    ```mlir
    %y = tg.scatter %x, %i, %u : (tensor<1000x64xf32>, tensor<?x20xi32>, tensor<?x20x64xf32>) -> tensor<1000x64xf32>
    ```

    * C1, C2: as gather. C3: updates has the shape of gather's result and the
      element type of base; (ODS): which is N.
    * R1: as gather.
    * Gradient: base: g; updates: gather(g); indices: none.
  }];
  let arguments = (ins Tg_NumericTensor:$base, Tg_IndexTensor:$indices,
                       Tg_NumericTensor:$updates,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Tg_NumericTensor:$result);
}

#endif // TG_DIALECTS_TG_INDEXINGOPS_TD
