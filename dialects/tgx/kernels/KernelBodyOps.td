//===- KernelBodyOps.td - ops in kernels besides ops of tg ----------------===//
#ifndef TG_DIALECTS_TGX_KERNELBODYOPS_TD
#define TG_DIALECTS_TGX_KERNELBODYOPS_TD

include "dialects/tgx/TgxBase.td"

/// Ops inside kernels that have an element rule.
class Tgx_ElementOp<string mnemonic, list<Trait> traits = []>
    : Tgx_BodyOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>
      ] # traits> {
  let extraClassDefinition = Tg_NoFlops # [{
    bool $cppClass::isElementwise() { return true; }
  }];
}

//===----------------------------------------------------------------------===//
// Checks inside kernels
//===----------------------------------------------------------------------===//

def Tgx_CheckIndexOp : Tgx_ElementOp<"check_index", [
    AllTypesMatch<["indices", "result"]>,
    DeclareOpInterfaceMethods<Tgx_ElementCheckOpInterface, ["getIndexBound"]>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Checked indices, with 0 in place of an index out of range";
  let description = [{
    `bound` maps the symbols to the exclusive upper bound of the indices. A bad
    index fails the run (TG_ERROR_INDEX) after the launch. `op_name` is the op
    that requires the check.

    * C1: `bound` is one number over symbols.
  }];
  let hasVerifier = 1;
  let arguments = (ins Tg_IntegerTensor:$indices, AffineMapAttr:$bound,
                       StrAttr:$op_name);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = [{
    $indices `below` `` custom<SymbolMap>($bound) attr-dict `:` type($indices)
  }];
}

def Tgx_CheckDivisorOp : Tgx_ElementOp<"check_divisor", [
    SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tgx_ElementCheckOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Checked divisors, with 1 in place of 0";
  let description = [{
    A zero fails the run (TG_ERROR_DIVIDE) after the launch.
  }];
  let arguments = (ins Tg_IntegerTensor:$input, StrAttr:$op_name);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Tgx_CheckFiniteOp : Tgx_ElementOp<"check_finite", [
    AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<Tgx_ElementCheckOpInterface, ["isObserver"]>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Checked floats: fails at the first one that is not finite";
  let description = [{
    NaN fails the run (TG_ERROR_NAN) after the launch. So does infinity, unless
    `nan_only` is set. `sources` are the values that the elements were computed
    from. A NaN does not fail the run if an element of a source is NaN, and an
    infinity does not if an element of a source is NaN or infinite. Sources have
    at most the rank of the input and are broadcast to it. A kernel may have any number of these ops;
    the first one in its order reports the error.

    ```mlir
    tgx.kernel @ratio loop(%a: tensor<f32>, %x: tensor<4xf32>) {
      %r = tg.div %a, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
      %y = tgx.check_finite %r from %a {op_name = "tg.div"} : tensor<4xf32> from tensor<f32>
    }
    ```

    * C1: the input and the sources are floats; the latter broadcast to the former.
  }];
  let hasVerifier = 1;
  let arguments = (ins AnyRankedTensor:$input, Variadic<AnyRankedTensor>:$sources,
                       StrAttr:$op_name, UnitAttr:$nan_only);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input (`from` $sources^)? attr-dict `:` type($input)
    (`from` type($sources)^)?
  }];
}

//===----------------------------------------------------------------------===//
// Numbers known at entry
//===----------------------------------------------------------------------===//

def Tgx_SizeOp : Tgx_ElementOp<"size", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface,
                              ["inferExtents", "inferSize"]>]> {
  let summary = "A rank-0 number that follows from extents";
  let description = [{
    `value` maps the symbols of the function, or of the kernel, to the number.

    ```mlir
    %n = tgx.size [s0] -> (s0 * 64) : tensor<i64>
    ```

    * C1: `value` is one number over symbols.
  }];
  let hasVerifier = 1;
  let arguments = (ins AffineMapAttr:$value);
  let results = (outs Tg_Int64Scalar:$result);
  let assemblyFormat = "`` custom<SymbolMap>($value) attr-dict `:` type($result)";
}

def Tgx_MaterializeOp : Tgx_ElementOp<"materialize", [
    SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Copy of a value in memory";
  let description = [{
    Writes a value to memory that kernels otherwise compute themselves, for uses
    outside of kernels. This takes a kernel of its own.
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif // TG_DIALECTS_TGX_KERNELBODYOPS_TD
