//===- RandomOps.td - random samples as pure functions --------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_RANDOMOPS_TD
#define TG_DIALECTS_TG_RANDOMOPS_TD

include "dialects/tg/TgBase.td"

/// A sample is a function of seed, counter, stream and linear index, made from
/// words of Philox4x32-10. A stream of -1 stands for the low 32 bits of the
/// last operand of `dynamic`.
class Tg_RandomOp<string mnemonic>
    : Tg_InferredOp<mnemonic, [
        Pure, DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
        DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                                  ["getSizeAttributes"]>,
        Tg_NonDifferentiable]> {
  dag sampleArguments = (ins Tg_Int64Scalar:$seed, Tg_Int64Scalar:$counter,
      Variadic<Tg_Int64Scalar>:$dynamic, Tg_IntegerListAttr:$shape,
      ConfinedAttr<I64Attr, [IntMinValue<-1>]>:$stream,
      DefaultValuedAttr<Tg_ElementTypeAttr, "$_builder.getF32Type()">
        :$element_type);
  let arguments = sampleArguments;
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_FullForm;
  // A sample takes mostly integer arithmetic.
  let extraClassDefinition = !strconcat(inferredDefinition, Tg_NoFlops);
  let extraClassDeclaration = inferredDeclaration # [{
    /// Returns the format of the samples. C2 rejects element types without one.
    ::tg::SampleFormat getFormat() {
      return *::tg::sampleFormatOf(getType().getElementType());
    }
  }];
}

//===----------------------------------------------------------------------===//
// random_uniform
//===----------------------------------------------------------------------===//

def Tg_RandomUniformOp : Tg_RandomOp<"random_uniform"> {
  let summary = "Uniform random numbers in [0, 1)";
  let description = [{
    (w >> 8) * 2^-24 of a 32-bit word w for f32, (W >> 11) * 2^-53 of a 64-bit
    word W for f64. A sample is a function of seed, counter, `stream` and the
    element's index. Each run has its own counter, and each op its own stream.
    The operands after the counter fill the -1 entries of `shape`, in order.
    With `stream = -1` one more operand gives the stream.

    ```mlir
    %y = tg.random_uniform %seed, %step, %n {shape = [-1, 100], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x100xf32>
    ```

    * C1: stream < 2^32; (ODS): stream >= -1. C2: element_type is a float type.
      C3: fewer than 2^34 elements, 2^33 for f64.
    * Not differentiable.
  }];
}

//===----------------------------------------------------------------------===//
// random_normal
//===----------------------------------------------------------------------===//

def Tg_RandomNormalOp : Tg_RandomOp<"random_normal"> {
  let summary = "Standard normal random numbers";
  let description = [{
    sqrt(2) * erfinv(2v - 1) with v = ((w >> 9) + 1/2) * 2^-23 for f32 and ((W
    >> 12) + 1/2) * 2^-52 for f64; with `truncated` the normal distribution is
    truncated to (-2, 2). Seed, counter, stream and further operands are as for
    `tg.random_uniform`.

    ```mlir
    %y = tg.random_normal %seed, %step {shape = [784, 100], stream = 1, truncated} : (tensor<i64>, tensor<i64>) -> tensor<784x100xf32>
    ```

    * C1: stream < 2^32; (ODS): stream >= -1. C2: element_type is a float type.
      C3: fewer than 2^34 elements, 2^33 for f64.
    * Not differentiable.
  }];
  let arguments = !con(sampleArguments, (ins UnitAttr:$truncated));
}

#endif // TG_DIALECTS_TG_RANDOMOPS_TD
