//===- NormalizationOps.td - statistics and softmax over axes -------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_NORMALIZATIONOPS_TD
#define TG_DIALECTS_TG_NORMALIZATIONOPS_TD

include "dialects/tg/TgBase.td"

//===----------------------------------------------------------------------===//
// Base class
//===----------------------------------------------------------------------===//

/// An op that is decomposed into reductions and elementwise ops before code
/// generation. If it is not always decomposed, `composed` is ["isComposed"].
class Tg_NormalizationOp<string mnemonic, list<Trait> traits = [],
                         list<string> composed = []>
    : Tg_InferredOp<mnemonic, [
        Pure,
        DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
        DeclareOpInterfaceMethods<Tg_DecomposableOpInterface, composed>
      ] # traits>;

class Tg_SoftmaxLikeOp<string mnemonic>
    : Tg_NormalizationOp<mnemonic, [Tg_SameType]> {
  let arguments = (ins Tg_FloatTensor:$input, I64Attr:$axis);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_ShortForm;
}

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

def Tg_SoftmaxOp : Tg_SoftmaxLikeOp<"softmax"> {
  let summary = "Softmax along an axis";
  let description = [{
    exp(x - max) / sum(exp(x - max)) along `axis`: [1000, 0] gives [1, 0], -inf
    gives 0; a row whose maximum is infinite or NaN is NaN.

    ```mlir
    %y = tg.softmax %x {axis = 1 : i64} : tensor<?x10xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1: rank >= 1 and the axis is valid [G3].
    * Gradient: y * (g - sum(g * y)).
  }];
}

//===----------------------------------------------------------------------===//
// log_softmax
//===----------------------------------------------------------------------===//

def Tg_LogSoftmaxOp : Tg_SoftmaxLikeOp<"log_softmax"> {
  let summary = "Logarithm of softmax along an axis";
  let description = [{
    x - max - ln(sum(exp(x - max))) along `axis`.

    ```mlir
    %y = tg.log_softmax %x {axis = 1 : i64} : tensor<?x10xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1: rank >= 1 and the axis is valid [G3].
    * Gradient: g - exp(y) * sum(g).
  }];
}

//===----------------------------------------------------------------------===//
// moments
//===----------------------------------------------------------------------===//

def Tg_MomentsOp : Tg_NormalizationOp<"moments", [
    DeclareOpInterfaceMethods<Tg_ReductionOpInterface, [
      "countTerms", "usesShift", "buildTerms", "buildPart", "buildTotal",
      "buildMerge", "buildResults"
    ]>,
    DeclareOpInterfaceMethods<Tg_OrderedOpInterface, ["verifyOrder"]>
  ], ["isComposed"]> {
  let summary = "Mean and variance over axes";
  let description = [{
    The mean and the biased variance, the mean of (x - mean)^2, of the n
    elements over `axes` (absent: all, []: none), with the shapes of reduce_sum
    and the accuracy of the two-pass formula; NaN if there are no elements.

    ```mlir
    %m, %v = tg.moments %x {axes = [0, 1, 2]}
        : (tensor<?x8x8x16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    ```

    * (ODS): the operand is a tensor of floats.
    * C1: the axes are valid [G3].
    * Gradient: g1 / n + g2 * 2 * (x - mean) / n.
  }];
  let arguments = (ins Tg_FloatTensor:$input,
                       OptionalAttr<Tg_IntegerListAttr>:$axes,
                       UnitAttr:$keep_dims);
  let results = (outs Tg_Tensor:$mean, Tg_Tensor:$variance);
  let assemblyFormat = Tg_FullForm;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$axes,
                   CArg<"bool", "false">:$keepDims), [{
      build($_builder, $_state, input, $_builder.getI64ArrayAttr(axes),
            keepDims);
    }]>
  ];
}

#endif // TG_DIALECTS_TG_NORMALIZATIONOPS_TD
