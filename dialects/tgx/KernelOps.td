//===- KernelOps.td - kernels and what stands in them ---------------------===//
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

/// How a part of a larger buffer lies in memory.
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
    /// What the body yields.
    ::mlir::OperandRange getOutputs();
    /// How it is computed, in a word for people: the algorithm where one was
    /// chosen, else the strategy.
    ::llvm::StringRef getMethod() {
      return getAlgorithm().value_or(stringifyStrategy(getStrategy()));
    }
    /// The extents of all values of the body over the kernel's symbols.
    ::llvm::LogicalResult analyzeExtents(::tg::ExtentAnalysis &analysis);
    /// How an argument or an output lies in memory; null where all its elements
    /// follow each other.
    RowsAttr rowsOf(::mlir::Value value);
    /// The known alignment of an output that may be stored past the caches; 0 for
    /// others.
    int64_t streamedAlignmentOf(unsigned output) {
      return getStreamedOutputs() ? (*getStreamedOutputs())[output] : 0;
    }
    /// The FLOPs of a launch over the kernel's symbols: two per product of a
    /// contraction, one per element of other results.
    ::mlir::AffineExpr countFlops(const ::tg::ExtentAnalysis &analysis);
    /// Whether a launch may write an output over the memory of an argument: it
    /// reads each element only to compute the same element of the output, and
    /// not again after it was written.
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
      arguments and outputs. C3: `extents` gives a number for each of its
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
    /// How the parts lie in the result; null where they follow each other.
    RowsAttr getRows();
    /// Where along the axis part `number` begins.
    int64_t getOffset(unsigned number);
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Checks inside kernels
//===----------------------------------------------------------------------===//

/// Ops inside kernels that compute no numbers of a model.
class Tgx_BodyOp<string mnemonic, list<Trait> traits = []>
    : Tgx_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<Tg_CostOpInterface>]
                       # traits> {
  let extraClassDefinition = Tg_NoFlops;
}

/// Those that have an element rule.
class Tgx_ElementOp<string mnemonic, list<Trait> traits = []>
    : Tgx_BodyOp<mnemonic, [
        DeclareOpInterfaceMethods<Tg_ElementOpInterface, ["isElementwise"]>
      ] # traits> {
  let extraClassDefinition = Tg_NoFlops # [{
    bool $cppClass::isElementwise() { return true; }
  }];
}

def Tgx_CheckIndexOp : Tgx_ElementOp<"check_index", [
    AllTypesMatch<["indices", "result"]>,
    DeclareOpInterfaceMethods<Tg_RunTimeCheckOpInterface, ["getIndexBound"]>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Passes indices on, 0 in place of one that is out of range";
  let description = [{
    `bound` maps the symbols to the number that indices stay below. A bad index
    fails the run (TG_ERROR_INDEX) after the launch; `op_name` is the op that
    asked.

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
    SameOperandsAndResultType, Tg_RunTimeCheckOpInterface,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Passes divisors on, 1 in place of 0";
  let description = [{
    A zero fails the run (TG_ERROR_DIVIDE) after the launch.
  }];
  let arguments = (ins Tg_IntegerTensor:$input, StrAttr:$op_name);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Tgx_CheckFiniteOp : Tgx_ElementOp<"check_finite", [
    AllTypesMatch<["input", "result"]>, Tg_RunTimeCheckOpInterface,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Passes floats on, and fails where one is no finite number";
  let description = [{
    NaN fails the run (TG_ERROR_NAN) after the launch, and so does infinity, unless
    `nan_only`. Where `sources` are given, what the elements were computed from:
    only NaN that comes from no NaN there, and infinity that comes from finite
    numbers. They have the rank of the input at most, and are broadcast to it.
    Any number of these may stand in a kernel; the first one in its order tells.

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
  let summary = "The same value, in memory";
  let description = [{
    Makes a kernel of a value that kernels compute themselves, for uses outside
    of kernels.
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

//===----------------------------------------------------------------------===//
// Packed matrices
//===----------------------------------------------------------------------===//

/// How a target wants a matrix that it reads again and again.
def Tgx_PanelsAttr : AttrDef<Tgx_Dialect, "Panels"> {
  let mnemonic = "panels";
  let summary = "Panels of columns that lie side by side";
  let description = [{
    A dimension of a tensor, `axis`, are n columns, the other ones together, in
    their order, k rows, over which a contraction sums: the panels are
    [⌈n / width⌉, k, width]. The target chose the width, in elements; missing
    columns are 0.

    With `winograd` the operand is a filter [3, 3, k, n] of axis 3: each 3x3
    window, transformed for tiles of that many positions along an axis, 4 or 2
    (F(4x4, 3x3) and F(2x2, 3x3) of Lavin and Gray, 2016), is 36 or 16 numbers,
    and the panels are [36, ⌈n / width⌉, k, width] or [16, ⌈n / width⌉, k, width]. Of axis 2 it is the filter [3, 3, n, k] of an
    adjoint, whose windows are read from the last tap to the first.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$width,
                        DefaultValuedParameter<"int64_t", "0">:$winograd);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// The panels of a tensor of static extents.
    ::mlir::RankedTensorType
    getPackedType(::mlir::RankedTensorType matrix) const;
    /// What contractions of such panels are called.
    ::llvm::StringRef getAlgorithm() const {
      if (getWinograd())
        return winogradAlgorithm(getWinograd());
      return kPanels;
    }
    /// What their kernels have behind their names.
    ::std::string getSuffix() const {
      return "_" + (getWinograd() ? getAlgorithm().str() : "packed");
    }
  }];
}

def Tgx_PackOp : Tgx_BodyOp<"pack"> {
  let summary = "A matrix as panels of columns, for contractions";
  let description = [{
    Static extents. The one op of a kernel of strategy "custom".

    ```mlir
    %p = tgx.pack %w as <axis = 1, width = 64> : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    ```

    * C1: the layout has a width and an axis of the input, which is static and of
      rank 2 at least; with `winograd`, 4 or 2, one of the last two of a filter
      of 3x3. C2: the result is its panels, of the same element type.
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
  let summary = "The matrix of which the panels are";
  let description = [{
    Stands before the rhs of a contraction, whose emitter reads the panels
    themselves.

    ```mlir
    %w = tgx.unpack %p as <axis = 1, width = 64> : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
    ```

    * C1: the layout has a width and an axis of the result, which is static and
      of rank 2 at least; with `winograd`, 4 or 2, one of the last two of a filter
      of 3x3. C2: the input is its panels, of the same element type.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_PanelsAttr:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` $layout attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Rows of a table
//===----------------------------------------------------------------------===//

def Tgx_FirstEqualOp : Tgx_BodyOp<"first_equal", [
    DeclareOpInterfaceMethods<Tg_BoundedOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Where each index is found first";
  let description = [{
    result[i] is the least j with indices[j] = indices[i]. The one op of a kernel
    of strategy "custom"; one index takes as long as another one, by and large.

    ```mlir
    %f = tgx.first_equal %i : (tensor<?xi32>) -> tensor<?xi64>
    ```

    * C1: the indices are of rank 1, and the result has their extent, of i64.
  }];
  let arguments = (ins Tg_IntegerTensor:$indices);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$indices attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elements that are true
//===----------------------------------------------------------------------===//

def Tgx_CountTrueOp : Tgx_BodyOp<"count_true", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "How many elements of each part are true";
  let description = [{
    Parts are 16384 elements in row-major order, the last one what is left. The one
    op of a kernel of strategy "custom".

    ```mlir
    %n = tgx.count_true %p : (tensor<?x4xi1>) -> tensor<?xi64>
    ```

    * C1: the result is of rank 1 and i64, with an element for each part.
  }];
  let arguments = (ins Tg_BoolTensor:$input);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Elements of a part: long enough to hide a launch, and workers share them.
    static constexpr int64_t kPartElements = 16 * 1024;
    /// How many parts so many elements have.
    static ::mlir::AffineExpr countParts(::mlir::AffineExpr elements) {
      return elements.ceilDiv(kPartElements);
    }
  }];
  let hasVerifier = 1;
}

def Tgx_ListTrueOp : Tgx_BodyOp<"list_true", [
    DeclareOpInterfaceMethods<Tg_BoundedOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Coordinates of the elements that are true";
  let description = [{
    [count, rank], in row-major order. `starts` are how many there are before
    each part of `tgx.count_true`, so that parts are listed side by side. The
    one op of a kernel of strategy "custom".

    ```mlir
    %y = tgx.list_true %p from %starts count %n : (tensor<?x4xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x2xi64>
    ```

    * C1: the starts are of rank 1 and i64, one for each part. C2: the result is
      of i64, with a column for each dimension of the input, of which there is
      one.
  }];
  let arguments = (ins Tg_BoolTensor:$input, Tg_IntegerTensor:$starts,
                       Tg_Int64Scalar:$count);
  let results = (outs Tg_IntegerTensor:$result);
  let assemblyFormat = [{
    $input `from` $starts `count` $count attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_KERNELOPS_TD
