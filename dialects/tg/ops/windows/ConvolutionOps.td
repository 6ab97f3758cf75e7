//===- ConvolutionOps.td - sums of products over windows ------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_CONVOLUTIONOPS_TD
#define TG_DIALECTS_TG_CONVOLUTIONOPS_TD

include "dialects/tg/ops/windows/Windows.td"

/// The base class of the three convolutions, whose window is the filter. A
/// filter of one position is a matrix, and code generation uses a matrix
/// product. Strides then select the elements that are multiplied, or place the
/// products among zeros.
class Tg_ConvolutionOp<string mnemonic, list<Trait> traits = []>
    : Tg_InferredOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_ContractionOpInterface>,
        DeclareOpInterfaceMethods<Tg_OrderedOpInterface,
                                  ["chooseOrder", "verifyOrder"]>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
        DeclareOpInterfaceMethods<Tg_DecomposableOpInterface, ["isComposed"]>,
        Tg_Differentiable
      ] # traits> {
  let assemblyFormat = Tg_FullForm;
  let extraClassDefinition = !strconcat(inferredDefinition, [{
    ::mlir::AffineExpr
    $cppClass::countFlops(const ::tg::ExtentAnalysis &extents) {
      return getContraction(extents).getFlops();
    }
  }]);
}

/// The attributes of windows, and the number of groups of the channels.
defvar Tg_ConvolutionAttributes = !con(Tg_WindowAttributes, (ins
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups));

//===----------------------------------------------------------------------===//
// conv
//===----------------------------------------------------------------------===//

def Tg_ConvOp : Tg_ConvolutionOp<"conv", [Pure]> {
  let summary = "Convolution";
  let description = [{
    One, two or three spatial dimensions, channels last: input [n, s, c], filter
    [k, c/groups, f], result [n, o, f]; s, k and o have one entry per spatial
    dimension. The taps of a window are `dilations` apart, and the windows
    `strides` apart:
    result[b, p, j] = sum over t and i of
    input[b, p * stride - low + t * dilation, group * c/groups + i] *
    filter[t, i, j] with group = floor(j * groups / f). Elements outside of the
    input are 0. With groups = c each channel has filters of its own.

    With the reach r = (k - 1) * dilation + 1 of a window, `padding` is one of

    * "valid": o = floor((s - r) / stride) + 1, low = 0;
    * "same": o = ceil(s / stride); total = max((o - 1) * stride + r - s, 0)
      zeros, low = floor(total / 2) of them before;
    * "explicit": o = floor((s + low + high - r) / stride) + 1; `pads` is
      [low, high] for each spatial dimension.

    ```mlir
    %y = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<?x32x32x3xf32>, tensor<3x3x3x16xf32>) -> tensor<?x16x16x16xf32>
    ```

    * (ODS): the operands are tensors of floats, groups is at least 1.
    * C1: the rank is 3, 4 or 5, and equals the rank of the filter. C2: strides,
      dilations and the extents of the filter are at least 1; the latter, c and
      f are static. C3: groups divides c and f, and the filter has c/groups
      channels. C4: `pads` is given exactly for "explicit", with two entries per
      spatial dimension, each at least 0. C5: the other lists have an entry per
      spatial dimension. C7: r <= s + low + high except for "same". C9: the
      operands have one element type. C10: r and the number of taps are below
      2^31.
    * R1: C7 holds for extents that are known only at run time.
    * Gradient: input: conv_transpose(g, filter); filter:
      conv_filter_grad(input, g).
  }];
  let arguments = !con((ins Tg_FloatTensor:$input, Tg_FloatTensor:$filter),
                       Tg_ConvolutionAttributes);
  let results = (outs Tg_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// conv_transpose
//===----------------------------------------------------------------------===//

def Tg_ConvTransposeOp : Tg_ConvolutionOp<"conv_transpose", [
    NoMemoryEffect,
    DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                              ["getSizeAttributes"]>]> {
  let summary = "Transposed convolution";
  let description = [{
    The adjoint of conv with respect to its input: input [n, o, f], filter [k,
    c/groups, f] as for conv, result [n, output_sizes, c]. Several sizes of the
    result fit an input; `output_sizes` selects one, and `dynamic` fills its -1
    entries.

    ```mlir
    %x = tg.conv_transpose %y, %w {output_sizes = [32, 32], padding = "same", strides = [2, 2]} : (tensor<?x16x16x16xf32>, tensor<3x3x3x16xf32>) -> tensor<?x32x32x3xf32>
    ```

    * (ODS): the operands are tensors of floats, groups is at least 1.
    * C1, C2, C4, C9, C10: as conv. C3: groups divides f. C5: the lists,
      including `output_sizes`, have an entry per spatial dimension. C6: input
      and filter have the same number of channels f. C7: as conv, for s of
      `output_sizes`. C8: there are as many windows o over these s as the input
      has positions.
    * R1: C7 and C8 hold for extents that are known only at run time.
    * Gradient: input: conv(g, filter); filter: conv_filter_grad(g, input).
  }];
  let arguments = !con((ins Tg_FloatTensor:$input, Tg_FloatTensor:$filter,
                            Variadic<Tg_Int64Scalar>:$dynamic,
                            Tg_IntegerListAttr:$output_sizes),
                       Tg_ConvolutionAttributes);
  let results = (outs Tg_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// conv_filter_grad
//===----------------------------------------------------------------------===//

def Tg_ConvFilterGradOp : Tg_ConvolutionOp<"conv_filter_grad", [
    Pure]> {
  let summary = "The gradient of a convolution with respect to its filter";
  let description = [{
    input [n, s, c], output_grad [n, o, f], result [filter_sizes, c/groups, f].

    ```mlir
    %w = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same", strides = [2, 2]} : (tensor<?x32x32x3xf32>, tensor<?x16x16x16xf32>) -> tensor<3x3x3x16xf32>
    ```

    * (ODS): the operands are tensors of floats, groups is at least 1.
    * C1, C4, C7, C9, C10: as conv. C2: as conv, for `filter_sizes`. C3: groups
      divides c and f. C5: the lists, including `filter_sizes`, have an entry
      per spatial dimension. C6: the batch extents are equal. C8: there are as
      many windows o over the s of the input as output_grad has positions.
    * R1: C7 and C8 hold for extents that are known only at run time.
    * Gradient: input: conv_transpose(output_grad, g); output_grad:
      conv(input, g).
  }];
  let arguments = !con((ins Tg_FloatTensor:$input, Tg_FloatTensor:$output_grad,
                            Tg_IntegerListAttr:$filter_sizes),
                       Tg_ConvolutionAttributes);
  let results = (outs Tg_FloatTensor:$result);
}

#endif // TG_DIALECTS_TG_CONVOLUTIONOPS_TD
