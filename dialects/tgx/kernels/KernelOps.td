//===- KernelOps.td - kernels, their calls and joined results -------------===//
#ifndef TG_DIALECTS_TGX_KERNELOPS_TD
#define TG_DIALECTS_TGX_KERNELOPS_TD

include "dialects/tgx/TgxBase.td"

/// The kinds of kernels; each has one emitter per target.
def Tgx_Strategy : I32EnumAttr<"Strategy", "strategy of a kernel", [
  // Each result element is computed separately, from elements of the arguments.
  I32EnumAttrCase<"loop", 0>,
  // Reductions over the same axes, with the ops before and after them.
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
  let summary = "Layout of a part of a larger buffer: rows with a stride";
  let description = [{
    From dimension `axis` on, the elements of a tensor are contiguous and form a
    row. The dimensions before `axis` count the rows. The row stride is `row_stride`
    elements.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$row_stride);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tgx_KernelOp : Tgx_Op<"kernel", [Symbol, IsolatedFromAbove,
    SingleBlock, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Computation of one launch";
  let description = [{
    The body computes tensors from tensors with tg ops. The arguments are the
    inputs, and the operands of `tgx.yield` are the outputs. Each call passes
    `symbol_count` numbers that are unknown until run time. `argument_extents`
    gives the extents of each argument over these symbols. `argument_sizes`
    gives the value of a rank-0 i64 argument that follows from the symbols, and
    unit for other arguments. Equal kernels exist once.

    The text lists the symbols. The type of an argument is followed by its
    extents, unless the type determines all of them, and by its value. `with`
    holds the constants and sizes (`tgx.size`) at the start of the body. A body
    without `tgx.yield` yields the results of its last op.

    `algorithm` names the algorithm of the target if the strategy leaves a
    choice; the back end knows its names. Reports show the algorithm, or the
    strategy if there is none.

    `argument_rows` and `output_rows` mark the arguments and outputs that are
    parts of larger buffers: `#tgx.rows`, or unit if all elements are
    contiguous. They do not change the symbols, extents and results of the body.

    `non_temporal_outputs` has a number for each output: 0, or the alignment of its
    address in bytes if no cache will hold the output when it is read. The
    target may then write it with non-temporal stores.

    `parts` makes several loops one launch. It has the number of outputs of each
    part, in their order. A part is a loop over the extents of its outputs, and
    reads no value of another part.

    ```mlir
    tgx.kernel @double_and_square loop(%x: tensor<4xf32>, %y: tensor<9xf32>) attributes {parts = array<i64: 1, 1>} {
      %0 = tg.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %1 = tg.mul %y, %y : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
      tgx.yield %0, %1 : tensor<4xf32>, tensor<9xf32>
    }
    ```

    `alignments` has the alignment in bytes, at least, of the address of each
    argument, then of each output. Without it addresses are aligned to their
    elements.

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
    * C5: the ops fit the strategy: only elementwise ops and moved elements
      (loop); in addition, at least one reduction (reduction); one contraction,
      the panels that it reads and reductions (contraction); or one other op
      (custom).
    * C6: the extents of all values follow from the symbols.
    * C7: outputs are results of ops of the body, each once.
    * C8: if there are rows, each argument or output has an entry, unit or rows.
      At least one dimension stands before the axis of rows, their extents are
      static, and a row is not longer than the row stride. Kernels of strategy
      "custom" have no rows.
    * C9: `non_temporal_outputs` has a number for each output, none negative.
    * C10: `alignments` has a power of two for each argument and output.
    * C11: a kernel with `parts` is a loop without checks and rows. There are at
      least two parts, each with at least one output, and together they have all
      outputs. The outputs of a part have equal extents. Only constants and sizes
      serve several parts.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tgx_Strategy:$strategy,
                       I64Attr:$symbol_count, AffineMapArrayAttr:$argument_extents,
                       ArrayAttr:$argument_sizes, OptionalAttr<StrAttr>:$algorithm,
                       OptionalAttr<ArrayAttr>:$argument_rows,
                       OptionalAttr<ArrayAttr>:$output_rows,
                       OptionalAttr<DenseI64ArrayAttr>:$non_temporal_outputs,
                       OptionalAttr<DenseI64ArrayAttr>:$alignments,
                       OptionalAttr<DenseI64ArrayAttr>:$parts);
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
    /// Computes the extents of all values of the body over the kernel's
    /// symbols.
    ::llvm::LogicalResult analyzeExtents(::tg::ExtentAnalysis &analysis);
    /// Returns the memory layout of an argument or an output; null if its
    /// elements are contiguous.
    RowsAttr rowsOf(::mlir::Value value);
    /// Returns the parts of a kernel with `parts`.
    ::llvm::SmallVector<KernelPart> divideIntoParts();
    /// Returns the number of the part of an output; 0 without `parts`.
    unsigned partOf(unsigned output);
    /// Returns the known alignment of an output that may be written with
    /// non-temporal stores; 0 for others.
    int64_t nonTemporalAlignmentOf(unsigned output) {
      return getNonTemporalOutputs() ? (*getNonTemporalOutputs())[output] : 0;
    }
    /// Returns the FLOPs of a launch over the kernel's symbols: two per product
    /// of a contraction, one per element of other results.
    ::mlir::AffineExpr countFlops(const ::tg::ExtentAnalysis &analysis);
    /// Returns true if a launch may write an output over the memory of an
    /// argument. It then reads each element of the argument only to compute the
    /// same element of the output, and not after that element was written. In a
    /// kernel with parts, only the part of the output reads the argument. No
    /// check may report a value that is computed from the argument, because the
    /// kernel runs again to find the value.
    bool mayOverwrite(::mlir::BlockArgument argument, ::mlir::Value output,
                      const ::tg::ExtentAnalysis &analysis);
    /// Returns the number of error cells of a launch: one for each predicate of
    /// each check, in the order of the body.
    unsigned countCells();
    /// Returns the index of the error cell of the first predicate of a check;
    /// the cells of its other predicates follow it.
    unsigned firstCellOf(ElementCheckOpInterface check);
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
    `extents` gives the kernel's symbols over the symbols of the function.

    ```
    %y = tgx.call @relu(%x) [s0] -> (s0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    ```

    * C1: the kernel exists. C2: inputs and outputs have the types of the
      kernel's arguments and outputs, which may have fewer static extents. C3:
      `extents` gives a number for each symbol of the kernel.
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
  let summary = "Values in one buffer along an axis";
  let description = [{
    The result is the concatenation of the parts along the axis. The op stands
    outside of kernels. The calls that compute the parts write them into the
    memory of the result, so that nothing is copied. A part may itself be a
    join.

    ```
    %y = tgx.join %a, %b along 1 : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
    ```

    * C1: there is at least one part, and the axis is an axis of the result. C2:
      parts have the rank and the element type of the result, and its extents
      except along the axis. C3: extents from the axis on are static, and the
      extents of the parts along the axis add up to the one of the result.
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
    /// Returns the offset of part `index` along the axis.
    int64_t getOffset(unsigned index);
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_KERNELOPS_TD
