//===- ContractionOps.td - sums of products over shared dimensions --------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_CONTRACTIONOPS_TD
#define TG_DIALECTS_TG_CONTRACTIONOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

def Tg_MatmulOp : Tg_InferredOp<"matmul", [
    Pure,
    DeclareOpInterfaceMethods<Tg_ContractionOpInterface>,
    DeclareOpInterfaceMethods<Tg_OrderedOpInterface>,
    DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
    DeclareOpInterfaceMethods<Tg_BatchableOpInterface>,
    DeclareOpInterfaceMethods<Tg_DecomposableOpInterface, ["isComposed"]>
  ]> {
  let summary = "Matrix product";
  let description = [{
    The last two dimensions, transposed where a flag says so, are multiplied as
    matrices, [m, k] by [k, n]; the leading dimensions broadcast:
    result[i, j] = sum over t of lhs[i, t] * rhs[t, j]. Integers wrap. Products
    of i8 and ui8 are summed as i32, which is then the element type of the
    result.

    ```mlir
    %y = tg.matmul %a, %b {transpose_rhs}
        : (tensor<?x784xf32>, tensor<100x784xf32>) -> tensor<?x100xf32>
    ```

    * (ODS): the operands are tensors of floats or integers.
    * C1: both ranks are at least 2. C2: the contracting extents are equal.
      C3: the leading dimensions broadcast. C4: the operands have one element
      type, and `element_type`, if given, is the result's.
    * Gradient: dA = g B', dB = A' g, written with the flags, each summed over
      broadcast leading dimensions. With an rhs of rank 2 and an lhs of higher
      rank, A and g are first reshaped to rank 2, so dB is one contraction over
      all rows.
  }];
  let arguments = (ins Tg_Tensor:$lhs, Tg_Tensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<TypeAttr>:$element_type);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   CArg<"bool", "false">:$transposeLhs,
                   CArg<"bool", "false">:$transposeRhs), [{
      build($_builder, $_state, lhs, rhs, transposeLhs, transposeRhs,
            /*element_type=*/::mlir::TypeAttr());
    }]>
  ];
}

#endif // TG_DIALECTS_TG_CONTRACTIONOPS_TD
