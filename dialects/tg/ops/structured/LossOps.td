//===- LossOps.td - losses with numerics of their own ---------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_LOSSOPS_TD
#define TG_DIALECTS_TG_LOSSOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// softmax_cross_entropy
//===----------------------------------------------------------------------===//

def Tg_SoftmaxCrossEntropyOp : Tg_InferredOp<"softmax_cross_entropy", [
    Pure,
    DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
    DeclareOpInterfaceMethods<Tg_DecomposableOpInterface>,
    DeclareOpInterfaceMethods<Tg_CheckedOpInterface,
                              ["getIndexBound", "getCheckedName"]>
  ]> {
  let summary = "Cross entropy of logits against labels";
  let description = [{
    For logits of the extents [B..., K], per row: -sum over k of t[k] *
    log_softmax(logits)[k], where a term with t[k] = 0 is 0. The labels are
    distributions t of the logits' type, or class numbers [B...], which mean
    -log_softmax(logits)[label].

    ```mlir
    %l = tg.softmax_cross_entropy %logits, %labels
        : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
    ```

    * (ODS): the logits are a tensor of floats.
    * C1: the logits' rank is at least 1. C2: K is static and not 0. C3: the
      labels have the logits' element type and extents, or i32, i64 or ui8 and
      the leading extents.
    * R1: 0 <= label < K.
    * Gradient: for logits g * (softmax * sum(t) - t), for class numbers
      g * (softmax - one_hot(label)); for distributions -g * log_softmax.
  }];
  let arguments = (ins Tg_FloatTensor:$logits, Tg_Tensor:$labels);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
}

#endif // TG_DIALECTS_TG_LOSSOPS_TD
