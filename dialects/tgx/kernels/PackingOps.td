//===- PackingOps.td - operands in the layout of a target -----------------===//
#ifndef TG_DIALECTS_TGX_PACKINGOPS_TD
#define TG_DIALECTS_TGX_PACKINGOPS_TD

include "dialects/tgx/TgxBase.td"
include "dialects/tgx/TgxInterfaces.td"

//===----------------------------------------------------------------------===//
// Packed matrices
//===----------------------------------------------------------------------===//

def Tgx_PackOp : Tgx_BodyOp<"pack"> {
  let summary = "An operand in the layout in which contractions read it";
  let description = [{
    Extents are static. This is the only op of a kernel of strategy "custom".

    ```mlir
    %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    ```

    * C1: the input can have the layout. C2: the result has the type of its
      packed form.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_LayoutAttrInterface:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` `(` $layout `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Tgx_UnpackOp : Tgx_BodyOp<"unpack", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Operand that was packed";
  let description = [{
    Defines the rhs of a contraction. The emitter of the contraction reads the
    packed form directly.

    ```mlir
    %w = tgx.unpack %p as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
    ```

    * C1: the result can have the layout. C2: the input has the type of its
      packed form.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_LayoutAttrInterface:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` `(` $layout `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_PACKINGOPS_TD
