//===- CustomOps.td - ops that are kernels by themselves ------------------===//
#ifndef TG_DIALECTS_TGX_CUSTOMOPS_TD
#define TG_DIALECTS_TGX_CUSTOMOPS_TD

include "dialects/tgx/TgxBase.td"

//===----------------------------------------------------------------------===//
// Rows of a table
//===----------------------------------------------------------------------===//

def Tgx_FirstEqualOp : Tgx_BodyOp<"first_equal", [
    DeclareOpInterfaceMethods<Tg_BoundedOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "First position of each index";
  let description = [{
    result[i] is the least j with indices[j] = indices[i]. This is the only op
    of a kernel of strategy "custom". The time is linear in the number of
    indices, whatever their values.

    ```mlir
    %f = tgx.first_equal %i : (tensor<?xi32>) -> tensor<?xi64>
    ```

    * C1: the indices are of rank 1, and the result has their extent, of i64.
  }];
  let arguments = (ins Tg_IntegerTensor:$indices);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$indices attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elements that are true
//===----------------------------------------------------------------------===//

def Tgx_CountTrueOp : Tgx_BodyOp<"count_true", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Number of true elements of each part";
  let description = [{
    Parts are 16384 elements in row-major order; the last part is the remainder.
    This is the only op of a kernel of strategy "custom".

    ```mlir
    %n = tgx.count_true %p : (tensor<?x4xi1>) -> tensor<?xi64>
    ```

    * C1: the result is of rank 1 and i64, with an element for each part.
  }];
  let arguments = (ins Tg_BoolTensor:$input);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The number of elements of a part. A part takes longer than the overhead
    /// of a launch, and workers process different parts in parallel.
    static constexpr int64_t kPartElements = 16 * 1024;
    /// Returns the number of parts of the given number of elements.
    static ::mlir::AffineExpr countParts(::mlir::AffineExpr elements) {
      return elements.ceilDiv(kPartElements);
    }
  }];
  let hasVerifier = 1;
}

def Tgx_ListTrueOp : Tgx_BodyOp<"list_true", [
    DeclareOpInterfaceMethods<Tg_BoundedOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Coordinates of the elements that are true";
  let description = [{
    The result is [count, rank], in row-major order. `starts` gives the number
    of true elements before each part of `tgx.count_true`, so that parts can be
    listed in parallel. This is the only op of a kernel of strategy "custom".

    ```mlir
    %y = tgx.list_true %p from %starts count %n : (tensor<?x4xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x2xi64>
    ```

    * C1: the starts are of rank 1 and i64, one for each part. C2: the result is
      of i64, with a column for each dimension of the input, which has at least
      one.
  }];
  let arguments = (ins Tg_BoolTensor:$input, Tg_IntegerTensor:$starts,
                       Tg_Int64Scalar:$count);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = [{
    $input `from` $starts `count` $count attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Tgx_TakeTrueOp : Tgx_BodyOp<"take_true", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "The elements of a tensor where a mask is true";
  let description = [{
    The elements of `input` where `mask` is true, in order. This equals a gather
    at the positions of `tgx.list_true`, without a list in memory. This is the
    only op of a kernel of strategy "custom".

    ```mlir
    %y = tgx.take_true %x where %p from %starts count %n : (tensor<?xf32>, tensor<?xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?xf32>
    ```

    * C1: the starts are of rank 1 and i64, one for each part of the mask. C2:
      input, mask and result are of rank 1, the mask with the extent of the input
      and the result with its element type.
  }];
  let arguments = (ins Tg_Tensor:$input, Tg_BoolTensor:$mask,
                       Tg_IntegerTensor:$starts, Tg_Int64Scalar:$count);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = [{
    $input `where` $mask `from` $starts `count` $count attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_CUSTOMOPS_TD
