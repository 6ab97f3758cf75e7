//===- FunctionOps.td - functions after `schedule` ------------------------===//
#ifndef TG_DIALECTS_TGX_FUNCTIONOPS_TD
#define TG_DIALECTS_TGX_FUNCTIONOPS_TD

include "dialects/tgx/TgxBase.td"

def Tgx_FunctionOp : Tgx_Op<"function", [Symbol, IsolatedFromAbove,
    SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function of the library: buffers and launches in order";
  let description = [{
    `inputs` and `outputs` are lists of {name, type, extents}; `extents` maps
    the symbols to the dimensions. An input may have a fourth entry, `random`,
    with the value of its tg.random. If callers know a function by a name other
    than its symbol, `tgx.name` is that name. `symbols` names three kinds of
    numbers, in this order: the numbers that inputs bind; the data-dependent
    numbers (`tgx.measure`), whose upper bounds `found` maps from the first
    kind; and the numbers that `computed` maps from both. Computed output
    dimensions are of the third kind. `role` is "init", "train", "test" or "".
    For the extents that the plan was made for, `arena_bytes` is the size of the
    arena and `lower_bound_bytes` is the greatest number of bytes that are live
    together. `recomputed` reports the cost of rematerialization: `arena_bytes`
    without it, the added `launches` and `flops`, and the number of contractions
    whose weights are `unpacked`.

    Maps in the body are over the first two kinds of numbers. Buffers have room
    for the upper bounds of data-dependent numbers.

    * C1: the role is one of these. C2: symbols have different names. First come
      the symbols that inputs bind, then one for each result of `found`, a map
      over the former, then one for each result of `computed`, a map over all
      symbols before.
    * C3: inputs and outputs are lists of this form, with different names and
      extents that fit the types.
    * C4: a dynamic extent of an input is a symbol that inputs bind, and each of
      these symbols is a dynamic extent of an input; a dynamic extent of an
      output is a symbol or in `computed`.
    * C5: the body, a block without arguments, holds buffers, steps (launches and
      copies) and entry checks alone; maps are over the symbols before `computed`.
    * C6: each output is written.
    * C7: `alignment`, that of each buffer of the arena in bytes, is a power of
      two and at least 64.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$role,
                       StrArrayAttr:$symbols, AffineMapAttr:$computed,
                       OptionalAttr<AffineMapAttr>:$found,
                       ArrayAttr:$inputs, ArrayAttr:$outputs,
                       OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<I64Attr>:$lower_bound_bytes,
                       DefaultValuedAttr<I64Attr, "kAlignment">:$alignment,
                       OptionalAttr<DictionaryAttr>:$recomputed);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Returns the number of symbols that the inputs bind.
    unsigned getBoundCount() {
      return countUncomputed() - countDataDependent();
    }
    /// Returns the number of symbols that are not computed from others: those
    /// that the inputs bind, and data-dependent ones.
    unsigned countUncomputed() {
      return getSymbols().size() - getComputed().getNumResults();
    }
    unsigned countDataDependent() {
      return getFound() ? getFound()->getNumResults() : 0;
    }
    /// Returns the upper bound of a number over the known symbols, as an
    /// expression over the symbols that inputs bind.
    ::mlir::AffineExpr upperBoundOf(::mlir::AffineExpr number);
  }];
}

#endif // TG_DIALECTS_TGX_FUNCTIONOPS_TD
