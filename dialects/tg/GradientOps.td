//===- GradientOps.td - requests for gradients and their limits -----------===//
#ifndef TG_DIALECTS_TG_GRADIENTOPS_TD
#define TG_DIALECTS_TG_GRADIENTOPS_TD

include "dialects/tg/TgBase.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// gradient
//===----------------------------------------------------------------------===//

def Tg_GradientOp : Tg_Op<"gradient", [
    NoMemoryEffect, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    Tg_NonDifferentiable]> {
  let summary = "The derivatives of a scalar";
  let description = [{
    One result per value, then one per variable: the derivative of `target`
    for the value, or for the content of the variable on entry, summed over all
    reads. The `grad` phase replaces it by ordinary ops.

    ```mlir
    %gw, %gb = tg.gradient %loss variables [@w, @b] : (tensor<f32>) -> (tensor<784x10xf32>, tensor<10xf32>)
    %gx = tg.gradient %loss wrt(%x) : (tensor<f32>, tensor<?x784xf32>) -> tensor<?x784xf32>
    ```

    * C1 (ODS): target is F of rank 0. C2: values and variables are F; at least
      one is given; none is given twice. C3: it stands at the top level of a
      function body; the result types equal those of values and variables, in
      order. C4, C5: checked by the grad phase.
    * Not differentiable.
  }];
  let arguments = (ins Tg_FloatScalar:$target, Variadic<Tg_Tensor>:$values,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$variables,
                       UnitAttr:$allow_unconnected);
  let results = (outs Variadic<Tg_Tensor>:$gradients);
  let assemblyFormat = [{
    $target (`wrt` `(` $values^ `)`)? (`variables` $variables^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// stop_gradient
//===----------------------------------------------------------------------===//

def Tg_StopGradientOp : Tg_InferredOp<"stop_gradient", [
    Tg_SameType,
    Pure, DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>,
    DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
    DeclareOpInterfaceMethods<Tg_DifferentiableOpInterface,
                              ["passesGradient"]>]> {
  let summary = "Identity that no cotangent passes";
  let description = [{
    ```mlir
    %y = tg.stop_gradient %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of T.
    * Gradient: none.
  }];
  let arguments = (ins Tg_Tensor:$input);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_ShortForm;
  let extraClassDefinition = !strconcat(inferredDefinition, Tg_NoFlops);
}

#endif // TG_DIALECTS_TG_GRADIENTOPS_TD
