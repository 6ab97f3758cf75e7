//===- IndexingOps.td - parts of tensors picked by indices ----------------===//
#ifndef TG_DIALECTS_TG_INDEXINGOPS_TD
#define TG_DIALECTS_TG_INDEXINGOPS_TD

include "dialects/tg/ops/movement/Movement.td"

/// The index operand gets no cotangent and is checked at run time.
def Tg_IndexedGradient
    : DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface,
                                ["passesGradient"]>;
def Tg_PartialAccess
    : DeclareOpInterfaceMethods<Tg_PartialAccessOpInterface>;
def Tg_CheckedIndices
    : DeclareOpInterfaceMethods<Tg_CheckedOpInterface, ["getIndexBound"]>;

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

def Tg_GatherOp : Tg_MovementOp<"gather", [
    NoMemoryEffect, Tg_Movable,
    Tg_IndexedGradient, Tg_CheckedIndices, Tg_PartialAccess]> {
  let summary = "Slices of a tensor picked by indices";
  let description = [{
    result[b, p, q, r] = input[b, p, indices[b, q], r], where b are the
    `batch_dims` leading dimensions that both operands have in common, and p the
    further dimensions before `axis`. The shape is input[:axis] +
    indices[batch_dims:] + input[axis+1:].

    ```mlir
    %y = tg.gather %x, %i : (tensor<1000x64xf32>, tensor<?x20xi32>) -> tensor<?x20x64xf32>
    ```

    * C1: the axis is valid [G3], batch_dims <= axis, batch_dims <= rank of
      indices. C2: the batch extents are equal where static.
    * R1: 0 <= index < S[axis].
    * Gradient: input: scatter(zeros, indices, g); indices: no cotangent.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Tg_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// The ways to combine an update with an element of the base.
def Tg_CombineAttr : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"add\", \"set\"}, "
          "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "one of add, set">]>;

def Tg_ScatterOp : Tg_MovementOp<"scatter", [
    NoMemoryEffect,
    Tg_IndexedGradient, Tg_CheckedIndices, Tg_PartialAccess,
    DeclareOpInterfaceMethods<Tg_OverwritingOpInterface>,
    DeclareOpInterfaceMethods<Tg_BatchableOpInterface, ["isSummedForLess"]>]> {
  let summary = "Tensor with updates combined at indexed positions";
  let description = [{
    `base` with every element of `updates` combined in at the position where
    gather would read it, in row-major order of the updates. `combine` is "add"
    or "set"; with "set" the last update of a position wins.

    ```mlir
    %y = tg.scatter %x, %i, %u : (tensor<1000x64xf32>, tensor<?x20xi32>, tensor<?x20x64xf32>) -> tensor<1000x64xf32>
    ```

    * C1, C2: as gather. C3: updates has the shape of gather's result and the
      element type of base; "add" requires floats or integers.
    * R1: as gather.
    * Gradient of "add": base: g; updates: gather(g). Of "set": base: g, 0 at
      positions that were set; updates: gather(g), 0 for updates that a later
      one replaced. Indices: no cotangent.
  }];
  let arguments = (ins Tg_Tensor:$base, Tg_IndexTensor:$indices,
                       Tg_Tensor:$updates,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims,
                       DefaultValuedAttr<Tg_CombineAttr, "\"add\"">
                         :$combine);
  let results = (outs Tg_Tensor:$result);
  let extraClassDeclaration = inferredDeclaration # [{
    /// Returns true if updates are added.
    bool isSum() { return getCombine() == "add"; }
  }];
}

//===----------------------------------------------------------------------===//
// nonzero
//===----------------------------------------------------------------------===//

def Tg_NonzeroOp : Tg_MovementOp<"nonzero", [
    Pure, Tg_NonDifferentiable]> {
  let summary = "Coordinates of the elements that are true";
  let description = [{
    The result is [count, rank], in row-major order. The count is a
    data-dependent size, at most the number of elements.

    ```mlir
    %y = tg.nonzero %p : (tensor<?x4xi1>) -> tensor<?x2xi64>
    ```

    * C1: the rank is at least 1.
    * Not differentiable.
  }];
  let arguments = (ins Tg_BoolTensor:$input);
  let results = (outs Tg_IntegerTensor:$result);
}

#endif // TG_DIALECTS_TG_INDEXINGOPS_TD
