//===- PoolingOps.td - one element of each window -------------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_POOLINGOPS_TD
#define TG_DIALECTS_TG_POOLINGOPS_TD

include "dialects/tg/ops/windows/Windows.td"

/// Ops whose result elements depend on the elements of a window, or, in the
/// adjoints, on the windows that cover the element. Each result element is
/// written once, so no sums in memory are shared between threads.
class Tg_PoolingOp<string mnemonic, list<string> elementMethods,
                   list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, elementMethods>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
        Tg_Differentiable
      ] # traits> {
  let assemblyFormat = Tg_FullForm;
}

/// The base class of the adjoints, whose result has the extents `input_sizes`.
class Tg_PoolingGradOp<string mnemonic>
    : Tg_PoolingOp<mnemonic, [], [
        NoMemoryEffect,
        DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                                  ["getSizeAttributes"]>]>;

//===----------------------------------------------------------------------===//
// max_pool
//===----------------------------------------------------------------------===//

def Tg_MaxPoolOp : Tg_PoolingOp<"max_pool", ["buildElements"], [Pure]> {
  let summary = "The greatest element of each window and its position";
  let description = [{
    input [n, s, c] with one, two or three spatial dimensions s, results [n, o,
    c]. `window` gives the number of positions of a window on each of them;
    `strides`, `dilations`, `padding` and `pads` are as for conv. `result` is
    the greatest element in the window; NaN counts as greatest, and padding
    never counts. `index` is the row-major position in the window of the first
    greatest element. It is ui8 if windows have at most 256 positions, else i32.
    A window without elements gives -inf or the lowest number, and index 0.

    ```mlir
    %y, %i = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<?x28x28x32xf32>) -> (tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>)
    ```

    * (ODS): the operand is a tensor of floats or integers.
    * C1: the rank is 3, 4 or 5. C2: window, strides and dilations are at least
      1. C3: the lists have an entry per spatial dimension. C4: `pads` is given
      exactly for "explicit", with two entries per spatial dimension, each at
      least 0 and below the reach of a window. C5: a window's reach is at most
      the padded extent except for "same". C8: reaches and the number of
      positions are below 2^31.
    * R1: C5 holds for extents that are known only at run time.
    * Gradient: max_pool_grad(g1, index).
  }];
  let arguments = !con((ins Tg_NumericTensor:$input,
                            Tg_IntegerListAttr:$window),
                       Tg_WindowAttributes);
  let results = (outs Tg_NumericTensor:$result, Tg_Tensor:$index);
}

//===----------------------------------------------------------------------===//
// max_pool_grad
//===----------------------------------------------------------------------===//

def Tg_MaxPoolGradOp : Tg_PoolingGradOp<"max_pool_grad"> {
  let summary = "Elements scattered to the positions that max_pool returned";
  let description = [{
    Adds each element of output_grad [n, o, c] to the element of the result [n,
    input_sizes, c] that its index selects. An index that selects padding, or no
    position of the window, adds nothing. `dynamic` fills the -1 entries of
    `input_sizes`.

    ```mlir
    %d = tg.max_pool_grad %g, %i {input_sizes = [28, 28], strides = [2, 2], window = [2, 2]} : (tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>) -> tensor<?x28x28x32xf32>
    ```

    * (ODS): output_grad is a tensor of floats or integers.
    * C1, C2, C4, C5, C8: as max_pool. C3: as max_pool, including `input_sizes`.
      C6: there are as many windows over `input_sizes` as output_grad has
      elements; index has the extents of output_grad and the type that max_pool
      gives.
    * R1: C5 and C6 hold for extents that are known only at run time.
    * Gradient: output_grad: the elements of g that the indices select;
      index: no cotangent.
  }];
  let arguments = !con((ins Tg_NumericTensor:$output_grad, Tg_Tensor:$index,
                            Variadic<Tg_Int64Scalar>:$dynamic,
                            Tg_IntegerListAttr:$input_sizes,
                            Tg_IntegerListAttr:$window),
                       Tg_WindowAttributes);
  let results = (outs Tg_NumericTensor:$result);
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

def Tg_AvgPoolOp : Tg_PoolingOp<"avg_pool", [], [Pure]> {
  let summary = "The mean of each window";
  let description = [{
    Extents and attributes are as for max_pool. The result is the sum of the
    elements in the window divided by their number, or by the number of
    positions with `count_padding`. A window without elements gives 0.

    ```mlir
    %y = tg.avg_pool %x {padding = "same", window = [3, 3]} : (tensor<?x28x28x32xf32>) -> tensor<?x28x28x32xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1 to C5, C8: as max_pool.
    * R1: C5 holds for extents that are known only at run time.
    * Gradient: avg_pool_grad(g).
  }];
  let arguments = !con((ins Tg_FloatTensor:$input, Tg_IntegerListAttr:$window),
                       Tg_WindowAttributes, (ins UnitAttr:$count_padding));
  let results = (outs Tg_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// avg_pool_grad
//===----------------------------------------------------------------------===//

def Tg_AvgPoolGradOp : Tg_PoolingGradOp<"avg_pool_grad"> {
  let summary = "The gradient of avg_pool with respect to its input";
  let description = [{
    Adds to each element of the result [n, input_sizes, c] its share of the
    elements of output_grad [n, o, c] whose windows cover it. `dynamic` fills
    the -1 entries of `input_sizes`.

    ```mlir
    %d = tg.avg_pool_grad %g {input_sizes = [28, 28], padding = "same", window = [3, 3]} : (tensor<?x28x28x32xf32>) -> tensor<?x28x28x32xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1, C2, C4, C5, C8: as max_pool. C3: as max_pool, including `input_sizes`.
      C6: there are as many windows over `input_sizes` as output_grad has
      elements.
    * R1: C5 and C6 hold for extents that are known only at run time.
    * Gradient: avg_pool(g).
  }];
  let arguments = !con((ins Tg_FloatTensor:$output_grad,
                            Variadic<Tg_Int64Scalar>:$dynamic,
                            Tg_IntegerListAttr:$input_sizes,
                            Tg_IntegerListAttr:$window),
                       Tg_WindowAttributes, (ins UnitAttr:$count_padding));
  let results = (outs Tg_FloatTensor:$result);
}

#endif // TG_DIALECTS_TG_POOLINGOPS_TD
