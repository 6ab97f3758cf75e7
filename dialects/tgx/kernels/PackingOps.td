//===- PackingOps.td - matrices as the panels of a target -----------------===//
#ifndef TG_DIALECTS_TGX_PACKINGOPS_TD
#define TG_DIALECTS_TGX_PACKINGOPS_TD

include "dialects/tgx/TgxBase.td"

//===----------------------------------------------------------------------===//
// Packed matrices
//===----------------------------------------------------------------------===//

/// The layout in which a target reads a matrix repeatedly.
def Tgx_PanelsAttr : AttrDef<Tgx_Dialect, "Panels"> {
  let mnemonic = "panels";
  let summary = "Panels of columns that lie side by side";
  let description = [{
    A tensor is read as a matrix: dimension `axis` has its n columns, and the
    other dimensions, flattened in order, have its k rows, over which a
    contraction sums. The target chose the width, in elements. The panels are
    [⌈n / width⌉, k, width]; columns beyond n are padding of 0.

    With `winograd` and axis 3 the operand is a filter [3, 3, k, n]. `winograd`
    is the number of positions of a tile along an axis, 4 or 2 (F(4x4, 3x3) and
    F(2x2, 3x3) of Lavin and Gray, 2016). Each transformed 3x3 window is 36 or
    16 numbers. The panels are [36, ⌈n / width⌉, k, width] or
    [16, ⌈n / width⌉, k, width]. With axis 2 the operand is the filter
    [3, 3, n, k] of an adjoint, whose windows are read from the last tap to the
    first.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$width,
                        DefaultValuedParameter<"int64_t", "0">:$winograd);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Returns the type of the panels of a tensor of static extents.
    ::mlir::RankedTensorType
    getPackedType(::mlir::RankedTensorType matrix) const;
    /// Returns the algorithm of contractions of these panels.
    ::llvm::StringRef getAlgorithm() const {
      if (getWinograd())
        return winogradAlgorithm(getWinograd());
      return kPanels;
    }
    /// Returns the suffix of the names of kernels that read these panels.
    ::std::string getSuffix() const {
      return "_" + (getWinograd() ? getAlgorithm().str() : "packed");
    }
  }];
}

def Tgx_PackOp : Tgx_BodyOp<"pack"> {
  let summary = "A matrix as panels of columns, for contractions";
  let description = [{
    Extents are static. This is the only op of a kernel of strategy "custom".

    ```mlir
    %p = tgx.pack %w as <axis = 1, width = 64> : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    ```

    * C1: the layout has a width, and an axis of the input, which is static and
      of rank 2 at least. With `winograd`, which is 4 or 2, the input is a 3x3
      filter, and the axis is one of the last two. C2: the result has the type
      of the panels, with the same element type.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_PanelsAttr:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` $layout attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Tgx_UnpackOp : Tgx_BodyOp<"unpack", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Matrix that was packed into panels";
  let description = [{
    Defines the rhs of a contraction. The emitter of the contraction reads the
    panels directly.

    ```mlir
    %w = tgx.unpack %p as <axis = 1, width = 64> : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
    ```

    * C1: the layout has a width, and an axis of the result, which is static and
      of rank 2 at least. With `winograd`, which is 4 or 2, the result is a 3x3
      filter, and the axis is one of the last two. C2: the input has the type of
      the panels, with the same element type.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_PanelsAttr:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` $layout attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_PACKINGOPS_TD
