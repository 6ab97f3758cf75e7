//===- FunctionOps.td - functions after `schedule` ------------------------===//
#ifndef TG_DIALECTS_TGX_FUNCTIONOPS_TD
#define TG_DIALECTS_TGX_FUNCTIONOPS_TD

include "dialects/tgx/TgxBase.td"

def Tgx_FunctionOp : Tgx_Op<"function", [Symbol, IsolatedFromAbove,
    SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function of the library: buffers and launches in order";
  let description = [{
    `inputs` and `outputs` are lists of {name, type, extents}: extents map the
    symbols to the dimensions. An input may have a fourth entry, `random`, which
    is its tg.random. A function that hosts know by another name than its symbol
    has that as `tgx.name`. `symbols` names the numbers that inputs bind,
    those that a run finds (`tgx.measure`), at most what `found` makes of the
    former, and then those of `computed`, a map of both; output dimensions that
    are computed are among the last. `role` is "init", "train", "test" or "".
    `arena_bytes` and `lower_bound_bytes` are the arena and the most bytes that
    are live together, for the extents that the plan was made for. `recomputed`
    says what was paid for less memory: `arena_bytes` without, `launches` and
    `flops` that were added, and contractions whose weights are `unpacked`.

    Maps inside are over the numbers that inputs bind and runs find. Buffers
    have room for the most that these can be.

    * C1: the role is one of these. C2: symbols have different names, one for
      each number of `computed`, a map over the others, and of `found`, a map
      over those that inputs bind.
    * C3: inputs and outputs are such lists, with names that differ and extents
      that fit the types.
    * C4: an unknown extent of an input is a symbol that inputs bind, and each of
      these is one; an unknown extent of an output is a symbol or in `computed`.
    * C5: the body, a block without arguments, holds buffers, steps (launches and
      copies) and entry checks alone; maps are over the symbols before `computed`.
    * C6: each output is written.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$role,
                       StrArrayAttr:$symbols, AffineMapAttr:$computed,
                       OptionalAttr<AffineMapAttr>:$found,
                       ArrayAttr:$inputs, ArrayAttr:$outputs,
                       OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<I64Attr>:$lower_bound_bytes,
                       OptionalAttr<DictionaryAttr>:$recomputed);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Symbols that the inputs bind.
    unsigned getBoundCount() { return getKnownCount() - countFound(); }
    /// Returns the number of symbols that the inputs bind or a run finds.
    unsigned getKnownCount() {
      return getSymbols().size() - getComputed().getNumResults();
    }
    unsigned countFound() {
      return getFound() ? getFound()->getNumResults() : 0;
    }
    /// The most that a number over the known symbols can be, over those that
    /// inputs bind.
    ::mlir::AffineExpr mostOf(::mlir::AffineExpr number);
  }];
}

#endif // TG_DIALECTS_TGX_FUNCTIONOPS_TD
