//===- GradientOps.td - requests for gradients and their limits -----------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
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
    with respect to the value, or to the content of the variable on entry,
    summed over all reads. The `grad` phase replaces the op by ordinary ops.

    ```mlir
    %gw, %gb = tg.gradient %loss variables [@w, @b] : (tensor<f32>) -> (tensor<784x10xf32>, tensor<10xf32>)
    %gx = tg.gradient %loss wrt(%x) : (tensor<f32>, tensor<?x784xf32>) -> tensor<?x784xf32>
    ```

    * C1 (ODS): target is a float of rank 0. C2: values and variables have float
      element types; at least one is given; none is given twice. C3: the op is
      at the top level of a function body; the result types equal those of
      values and variables, in order. C4, C5: checked by the grad phase.
    * All requests of a module together build at most 65,536 ops and visit at
      most 2,097,152 ops, because each gradient of a gradient multiplies them.
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
  let summary = "Identity through which no gradient flows";
  let description = [{
    ```mlir
    %y = tg.stop_gradient %x : tensor<?x4xf32>
    ```

    * (ODS): the operand is a tensor of any element type.
    * Gradient: zero (passes no cotangent).
  }];
  let arguments = (ins Tg_Tensor:$input);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = Tg_ShortForm;
  let extraClassDefinition = !strconcat(inferredDefinition, Tg_NoFlops);
}

//===----------------------------------------------------------------------===//
// custom_gradient
//===----------------------------------------------------------------------===//

def Tg_CustomGradientOp : Tg_Op<"custom_gradient", [
    RecursiveMemoryEffects, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>,
    Tg_Differentiable]> {
  let summary = "Values with a custom gradient";
  let description = [{
    `forward` computes the results from the inputs. `backward` computes the
    cotangents of the inputs from the inputs, the results and the cotangents of
    the results. After the phase `grad` the ops of `forward` replace the op. A
    gradient of the gradient differentiates `backward`.

    ```mlir
    %y = tg.custom_gradient %x : (tensor<10xf32>) -> tensor<10xf32> {
    ^bb0(%in: tensor<10xf32>):
      %out = tg.host_call "my_relu"(%in) {pure} : (tensor<10xf32>) -> tensor<10xf32>
      tg.yield %out : tensor<10xf32>
    } gradient {
    ^bb0(%in: tensor<10xf32>, %out: tensor<10xf32>, %grad: tensor<10xf32>):
      %in_grad = tg.host_call "my_relu_grad"(%out, %grad) {pure} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
      tg.yield %in_grad : tensor<10xf32>
    }
    ```

    * C1: `forward` takes the inputs and yields the results, type by type. C2:
      `backward` takes the inputs, the results and a cotangent for each float
      result, and yields a cotangent for each float input. C3: the regions hold
      pure ops and no gradient.
    * Gradient: `backward`. A result without a cotangent has zeros as its
      cotangent.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$inputs);
  let results = (outs Variadic<Tg_Tensor>:$results);
  let regions = (region SizedRegion<1>:$forward, SizedRegion<1>:$backward);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
    custom<Body>($forward) `gradient` custom<Body>($backward)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Clones the ops of a region before the insertion point, with values in
    /// place of its arguments. Returns the yielded values.
    ::llvm::SmallVector<::mlir::Value> inlineRegion(
        ::mlir::OpBuilder &builder, ::mlir::Region &region,
        ::mlir::ValueRange arguments);
  }];
}

#endif // TG_DIALECTS_TG_GRADIENTOPS_TD
