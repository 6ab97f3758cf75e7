//===- ResizeOps.td - tensors of other spatial extents --------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_RESIZEOPS_TD
#define TG_DIALECTS_TG_RESIZEOPS_TD

include "dialects/tg/TgBase.td"

/// The interpolation between the elements of the input.
def Tg_ResizeModeAttr : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"nearest\", \"linear\"}, "
          "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "whose value is nearest or linear">]>;

/// The rule that maps positions of the result to positions of the input.
def Tg_CoordinatesAttr : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"half_pixel\", \"align_corners\", "
          "\"asymmetric\"}, "
          "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "whose value is half_pixel, align_corners or asymmetric">]>;

class Tg_ResizingOp<string mnemonic>
    : Tg_InferredOp<mnemonic, [
        NoMemoryEffect,
        DeclareOpInterfaceMethods<Tg_ElementOpInterface>,
        DeclareOpInterfaceMethods<Tg_EvaluableOpInterface>,
        DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                                  ["getSizeAttributes"]>,
        Tg_Differentiable
      ]> {
  let assemblyFormat = Tg_FullForm;
}

//===----------------------------------------------------------------------===//
// resize
//===----------------------------------------------------------------------===//

def Tg_ResizeOp : Tg_ResizingOp<"resize"> {
  let summary = "Tensor resized to other spatial extents";
  let description = [{
    input [n, s, c] with one, two or three spatial dimensions s, result
    [n, o, c] with o = `sizes`, whose -1 entries `dynamic` fills. A result
    position p on an axis has the coordinate u in the input:

    * "half_pixel": (p + 1/2) * s / o - 1/2;
    * "align_corners": p * (s - 1) / (o - 1), 0 for o = 1;
    * "asymmetric": p * s / o;

    The coordinate is an exact fraction of integers. `mode` "nearest" takes the
    element floor(u + 1/2), with "asymmetric" floor(u); "linear" interpolates
    between the two neighbours of u on each axis. Coordinates outside of [0, s -
    1] are clamped to its ends.

    ```mlir
    %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [56, 56]} : (tensor<?x28x28x32xf32>) -> tensor<?x56x56x32xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1: the rank is 3, 4 or 5. C3: `sizes` has an entry per spatial dimension.
      C7: sizes and spatial extents are at least 1.
    * R1: C7 holds for extents that are known only at run time.
    * Gradient: resize_grad(g).
  }];
  let arguments = (ins Tg_FloatTensor:$input, Variadic<Tg_Int64Scalar>:$dynamic,
                       Tg_IntegerListAttr:$sizes, Tg_ResizeModeAttr:$mode,
                       Tg_CoordinatesAttr:$coordinates);
  let results = (outs Tg_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// resize_grad
//===----------------------------------------------------------------------===//

def Tg_ResizeGradOp : Tg_ResizingOp<"resize_grad"> {
  let summary = "The gradient of resize with respect to its input";
  let description = [{
    Adds each element of output_grad [n, o, c], times its weights, to the
    elements of the result [n, input_sizes, c] from which resize computes it.
    `dynamic` fills the -1 entries of `input_sizes`.

    ```mlir
    %d = tg.resize_grad %g {coordinates = "half_pixel", input_sizes = [28, 28], mode = "linear"} : (tensor<?x56x56x32xf32>) -> tensor<?x28x28x32xf32>
    ```

    * (ODS): the operand is a tensor of floats.
    * C1, C7: as resize. C3: `input_sizes` has an entry per spatial dimension.
    * R1: C7 holds for extents that are known only at run time.
    * Gradient: resize(g).
  }];
  let arguments = (ins Tg_FloatTensor:$output_grad,
                       Variadic<Tg_Int64Scalar>:$dynamic,
                       Tg_IntegerListAttr:$input_sizes, Tg_ResizeModeAttr:$mode,
                       Tg_CoordinatesAttr:$coordinates);
  let results = (outs Tg_FloatTensor:$result);
}

#endif // TG_DIALECTS_TG_RESIZEOPS_TD
