//===- KernelOps.td - kernels, their calls and joined results -------------===//
#ifndef TG_DIALECTS_TGX_KERNELOPS_TD
#define TG_DIALECTS_TGX_KERNELOPS_TD

include "dialects/tgx/TgxBase.td"

/// The kinds of kernels; each has one emitter per target.
def Tgx_Strategy : I32EnumAttr<"Strategy", "strategy of a kernel", [
  // Every result element on its own, from elements of the arguments.
  I32EnumAttrCase<"loop", 0>,
  // Reductions over the same axes, with what is computed before and after.
  I32EnumAttrCase<"reduction", 1>,
  // One contraction with elementwise ops around it and reductions of its rows.
  I32EnumAttrCase<"contraction", 2>,
  // One op with an emitter of its own: scatter, top_k.
  I32EnumAttrCase<"custom", 3>
]> {
  let cppNamespace = "::tgx";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The memory layout of a part of a larger buffer.
def Tgx_RowsAttr : AttrDef<Tgx_Dialect, "Rows"> {
  let mnemonic = "rows";
  let summary = "Rows of elements that lie apart";
  let description = [{
    From dimension `axis` on, the elements of a tensor follow each other and
    are a row; the rows, which the dimensions before count, begin `pitch`
    elements apart.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$pitch);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tgx_KernelOp : Tgx_Op<"kernel", [Symbol, IsolatedFromAbove,
    SingleBlock, HasParent<"::mlir::ModuleOp">]> {
  let summary = "What one launch computes";
  let description = [{
    The body computes tensors from tensors with tg ops; arguments are inputs,
    what `tgx.yield` gives are outputs. `symbol_count` numbers unknown until run
    time are passed by each call. `argument_extents` gives the extents of each
    argument over them, `argument_sizes` the value of rank-0 i64 arguments
    that is known from them (unit where it is not). Equal kernels exist once.

    The text lists the symbols; behind an argument's type stand its extents,
    unless the type tells them all, and its value. `with` holds constants and
    sizes (`tgx.size`) that lead the body; a body without `tgx.yield` gives
    what its last op computes.

    `algorithm` says how the target will compute it, where the strategy leaves
    a choice: "panels" for a contraction of a packed operand, "winograd" for a
    convolution, or one of its gradients, by transformed tiles of 4x4 positions
    ("winograd_2x2": of 2x2), "depthwise" and "groups" for convolutions of groups
    of channels. Reports tell it, in its
    absence the strategy.

    `argument_rows` and `output_rows` say which arguments and outputs are parts
    of larger buffers: `#tgx.rows`, or unit where all elements follow each other.
    The symbols, extents and results of the body do not change by that.

    `streamed_outputs` has for each output 0, or, where no cache will have it when
    it is read, the bytes of which its address is a multiple: the target may
    store it past the caches.

    ```mlir
    tgx.kernel @relu_mul loop[s0](%x: tensor<?x4xf32> [s0, 4], %n: tensor<i64> = s0 * 2) with(%c = dense<2.0> : tensor<f32>, %m = [s0 + 1]) {
      %y = tg.relu %x : tensor<?x4xf32>
      %z = tg.mul %y, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
      tgx.yield %y, %z : tensor<?x4xf32>, tensor<?x4xf32>
    }
    ```

    * C1: `symbol_count` is in [0, 4096); each argument has extents and a size.
    * C2: extents fit the types of arguments and the symbols.
    * C3: a size is unit, or one number over the symbols of a rank-0 i64 argument.
    * C4: the body holds ops of tg and tgx, or contractions of any dialect,
      without regions, effects and symbols; their maps are over the kernel's
      symbols.
    * C5: the ops fit the strategy: elementwise ops and moved elements alone
      (loop), at least one reduction beside (reduction), one contraction, the
      panels that it reads and reductions beside (contraction), one other op
      beside (custom).
    * C6: the extents of all values follow from the symbols.
    * C7: outputs are results of ops of the body, each once.
    * C8: where there are rows, there is an entry for each argument or output,
      unit or rows: behind at least one dimension, of static extents, not longer
      than the pitch. Kernels of strategy "custom" have none.
    * C9: `streamed_outputs` has a number for each output, none negative.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tgx_Strategy:$strategy,
                       I64Attr:$symbol_count, AffineMapArrayAttr:$argument_extents,
                       ArrayAttr:$argument_sizes, OptionalAttr<StrAttr>:$algorithm,
                       OptionalAttr<ArrayAttr>:$argument_rows,
                       OptionalAttr<ArrayAttr>:$output_rows,
                       OptionalAttr<DenseI64ArrayAttr>:$streamed_outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Returns the values that the body yields.
    ::mlir::OperandRange getOutputs();
    /// Returns a readable name of the method: the algorithm if one was chosen,
    /// else the strategy.
    ::llvm::StringRef getMethod() {
      return getAlgorithm().value_or(stringifyStrategy(getStrategy()));
    }
    /// The extents of all values of the body over the kernel's symbols.
    ::llvm::LogicalResult analyzeExtents(::tg::ExtentAnalysis &analysis);
    /// Returns the memory layout of an argument or an output; null if its
    /// elements are contiguous.
    RowsAttr rowsOf(::mlir::Value value);
    /// The known alignment of an output that may be stored past the caches; 0 for
    /// others.
    int64_t streamedAlignmentOf(unsigned output) {
      return getStreamedOutputs() ? (*getStreamedOutputs())[output] : 0;
    }
    /// The FLOPs of a launch over the kernel's symbols: two per product of a
    /// contraction, one per element of other results.
    ::mlir::AffineExpr countFlops(const ::tg::ExtentAnalysis &analysis);
    /// Returns true if a launch may write an output over the memory of an
    /// argument: it reads each element only to compute the same element of the
    /// output, and not again after that element was written.
    bool mayOverwrite(::mlir::BlockArgument argument, ::mlir::Value output,
                      const ::tg::ExtentAnalysis &analysis);
  }];
}

def Tgx_YieldOp : Tgx_Op<"yield", [Pure, Terminator, ReturnLike,
    HasParent<"KernelOp">]> {
  let summary = "Ends a kernel and gives its outputs";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Tgx_CallOp : Tgx_Op<"call", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Runs a kernel on tensor values";
  let description = [{
    `extents` gives the kernel's symbols over those of the function.

    ```
    %y = tgx.call @relu(%x) [s0] -> (s0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    ```

    * C1: the kernel exists. C2: inputs and outputs have the types of its
      arguments and outputs, which may know less of their extents. C3: `extents` gives a number for each of its
      symbols.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs,
                       AffineMapAttr:$extents);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `` custom<SymbolMap>($extents) attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def Tgx_JoinOp : Tgx_Op<"join", [Pure,
    DeclareOpInterfaceMethods<Tg_ConcatenationOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Values that are computed side by side";
  let description = [{
    The parts one after the other along the axis. Stands outside of kernels: the
    calls that compute the parts write them into the memory of the result, so
    that nothing is copied. A part may be a join itself.

    ```
    %y = tgx.join %a, %b along 1 : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
    ```

    * C1: there is a part, and the axis is one of the result. C2: parts have the
      rank and the element type of the result, and its extents but along the
      axis. C3: extents from the axis on are static, those along it add up.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$parts, I64Attr:$axis);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $parts `along` $axis attr-dict `:` functional-type($parts, $result)
  }];
  let extraClassDeclaration = [{
    /// Returns the memory layout of the parts in the result; null if they are
    /// contiguous.
    RowsAttr getRows();
    /// Returns the offset of part `number` along the axis.
    int64_t getOffset(unsigned number);
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_KERNELOPS_TD
