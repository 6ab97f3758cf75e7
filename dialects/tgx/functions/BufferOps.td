//===- BufferOps.td - buffers, and what reads and writes them -------------===//
#ifndef TG_DIALECTS_TGX_BUFFEROPS_TD
#define TG_DIALECTS_TGX_BUFFEROPS_TD

include "dialects/tgx/TgxBase.td"

/// Restricts an op to functions and to loops and branches in them.
def Tgx_InFunction
    : ParentOneOf<["FunctionOp", "ForOp", "WhileOp", "IfOp"]>;

/// A function states the buffer of an index, a variable or an id once [C1].
class Tgx_BufferOp<string mnemonic, list<string> methods = [],
                   list<Trait> traits = []>
    : Tgx_Op<mnemonic, [
        Tgx_InFunction,
        DeclareOpInterfaceMethods<Tgx_BufferOpInterface,
                                  ["countBytes"] # methods>
      ] # traits> {
  let results = (outs AnyRankedTensor:$buffer);
}

class Tgx_StepOp<string mnemonic, list<Trait> traits = []>
    : Tgx_Op<mnemonic, [
        Tgx_InFunction,
        DeclareOpInterfaceMethods<Tgx_StepOpInterface>
      ] # traits>;

//===----------------------------------------------------------------------===//
// input, output
//===----------------------------------------------------------------------===//

def Tgx_InputOp : Tgx_BufferOp<"input", ["getIdentity"]> {
  let summary = "The memory of an input";
  let description = [{
    * C1: `index` is that of an input, the type that of the input.
  }];
  let arguments = (ins I64Attr:$index);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_OutputOp : Tgx_BufferOp<"output", ["getIdentity", "isWritable",
                                           "isFilledAtEntry"]> {
  let summary = "The memory of an output";
  let description = [{
    * C1: `index` is that of an output, the type that of the output.
  }];
  let arguments = (ins I64Attr:$index);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// slab, packed
//===----------------------------------------------------------------------===//

def Tgx_SlabOp : Tgx_BufferOp<"slab", ["getIdentity", "isWritable"], [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The memory of a variable";
  let description = [{
    * C1: the variable exists and has the type of the buffer.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let assemblyFormat = "$variable attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_PackedOp : Tgx_BufferOp<"packed", ["getIdentity"], [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A variable in the layout that a contraction reads, packed ahead";
  let description = [{
    `pack` of the library fills it by running `kernel`, a kernel of strategy
    "custom", on the variable.

    * C1: the variable and the kernel exist. C2: the kernel takes the variable
      alone, has no symbols and gives the type of the buffer.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, FlatSymbolRefAttr:$kernel);
  let assemblyFormat = "$variable `by` $kernel attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// constant, workspace, view, part
//===----------------------------------------------------------------------===//

def Tgx_ConstantOp : Tgx_BufferOp<"constant"> {
  let summary = "A constant in the library's read-only data";
  let description = [{
    * C1: the value is as that of `tg.constant`, of the type of the buffer.
  }];
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "attr-dict $value `->` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_WorkspaceOp : Tgx_BufferOp<"workspace", ["isWritable",
                                                 "isFilledAtEntry"]> {
  let summary = "A buffer in the planned arena";
  let description = [{
    `bytes` maps the function's symbols to the size. The buffer begins at the
    first multiple of the alignment, 64 bytes, at or after the end of every
    buffer in `above`, which are numbers (`id`) of buffers before it: offsets
    are constants where sizes are, and follow from the extents elsewhere.

    ```
    %y = tgx.workspace 1 [s0] -> (s0 * 16) above [0] : tensor<?x4xf32>
    ```

    * C1: ids count the buffers in order; those in `above` ascend, below the own.
    * C2: `bytes` is one number, not negative, and that of a static type.
    * C3: buffers that are live at one step, from the first that touches one to
      the last, never overlap whatever the sizes: in the order of their ids each
      lies above the one before, by constant offsets or by way of `above`.
  }];
  let arguments = (ins I64Attr:$id, AffineMapAttr:$bytes, DenseI64ArrayAttr:$above);
  let assemblyFormat = [{
    $id `` custom<SymbolMap>($bytes) `above` $above attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tgx_ViewOp : Tgx_BufferOp<"view", ["getViewed"]> {
  let summary = "The same memory with other extents";
  let description = [{
    * C1: the source is a buffer before, of the same element type. C2: the sizes
      are equal; that of a view with a `?` is seen where it is used.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_PartOp : Tgx_BufferOp<"part"> {
  let summary = "Some of the elements of a buffer along an axis";
  let description = [{
    Those from index `offset` on, as many as the type says. Rows of elements lie
    as far apart as in the whole buffer: kernels must know (`#tgx.rows`).

    ```
    %a = tgx.part %y along 1 at 50 : tensor<?x150xf32> -> tensor<?x100xf32>
    ```

    * C1: the source is a buffer before that is no part, of the same element
      type and rank; extents from the axis on are static, and the others are
      equal. C2: the elements are there. C3: all parts of one memory lie along
      one axis of equal extents.
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$axis, I64Attr:$offset);
  let assemblyFormat = [{
    $source `along` $axis `at` $offset attr-dict `:` type($source) `->`
    type($buffer)
  }];
  let extraClassDeclaration = [{
    /// Returns the memory layout of the elements; null if they are contiguous.
    RowsAttr getRows();
    /// Elements of a row of the source before those of the part, and of the
    /// part.
    int64_t countElementsBefore();
    int64_t countRowElements();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// launch, copy, host, entry_check
//===----------------------------------------------------------------------===//

def Tgx_LaunchOp : Tgx_StepOp<"launch", [AttrSizedOperandSegments]> {
  let summary = "Runs a kernel on buffers";
  let description = [{
    An output may have the memory of an input, which the kernel then updates
    element by element.

    * C1: the kernel exists. C2: inputs and outputs have the types of its
      arguments and outputs, which may know less of their extents. C3: `extents` gives a number for each of its
      symbols.
    * C4: operands are buffers before; what holds nothing at the start of a call
      was written before it is read.
    * C5: outputs are outputs, variables or workspaces (or views of them), each
      in other memory.
    * C6: the sizes of buffers are those of the kernel's arguments and outputs
      under `extents`, for all extents that pass the entry checks, where these
      can be solved.
    * C7: where an output has the memory of an input, the kernel is a loop or a
      contraction, and reads the elements of the input for the same elements of
      its outputs alone. Parts that have no element in common are different
      memory here and in C5.
    * C8: the rows of parts lie as the kernel says, those of others follow each
      other.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs, AffineMapAttr:$extents);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `into` `(` $outputs `)` `` custom<SymbolMap>($extents)
    attr-dict `:` custom<LaunchTypes>(type($inputs), type($outputs))
  }];
}

def Tgx_CopyOp : Tgx_StepOp<"copy"> {
  let summary = "Copies a buffer to another of the same size";
  let description = [{
    * C1: `bytes` is one number over symbols. C2: both buffers have one element
      type.
    * C4: as of `tgx.launch`. C5: the target is an output, a variable or a
      workspace in other memory than the source, and neither is a part. C6: both sizes are `bytes`, for
      all extents that pass the entry checks.
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$target,
                       AffineMapAttr:$bytes);
  let assemblyFormat = [{
    $source `to` $target `` custom<SymbolMap>($bytes) attr-dict `:` type($source)
    `to` type($target)
  }];
  let hasVerifier = 1;
}

/// A word of tg::HostAction.
def Tgx_HostActionAttr : StringBasedAttr<CPred<
    "::llvm::isa<::mlir::StringAttr>($_self) && ::tg::symbolizeHostAction("
    "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "call, print or assert"> {
  let returnType = "::tg::HostAction";
  let convertFromStorage = "*::tg::symbolizeHostAction($_self.getValue())";
  let constBuilderCall =
      "$_builder.getStringAttr(::tg::stringifyHostAction($0))";
}

def Tgx_HostOp : Tgx_StepOp<"host", [AttrSizedOperandSegments]> {
  let summary = "Turns to the host: calls its function, prints, or asserts";
  let description = [{
    `text` is the name of the function, the label, or the message. `extents` are
    those of the inputs and outputs, one list after the other.

    ```
    tgx.host "call" "my_relu"(%x) into (%y) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
    tgx.host "assert" "is finite"(%ok) into () : tensor<i1> into ()
    ```

    * C1: `extents` gives those of all types. C2: prints have one input, asserts
      one of i1 and rank 0, and neither an output.
    * C4: as of `tgx.launch`. C5: as of `tgx.launch`, and no buffer is a part.
      C6: the sizes of buffers are those of `extents`, for all extents that pass
      the entry checks.
  }];
  let arguments = (ins Tgx_HostActionAttr:$action, StrAttr:$text,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       AffineMapAttr:$extents);
  let assemblyFormat = [{
    $action $text `(` $inputs `)` `into` `(` $outputs `)` ``
    custom<SymbolMap>($extents) attr-dict `:`
    custom<HostTypes>(type($inputs), type($outputs))
  }];
  let extraClassDeclaration = [{
    /// The extents of an operand over the symbols.
    ::llvm::ArrayRef<::mlir::AffineExpr> getExtentsOf(unsigned operand);
    /// And its size.
    ::mlir::AffineExpr countBytesOf(unsigned operand);
    /// Returns the size of all operands, in bytes.
    ::mlir::AffineExpr countBytes();
  }];
  let hasVerifier = 1;
}

def Tgx_MeasureOp : Tgx_Op<"measure", [
    DeclareOpInterfaceMethods<Tgx_StepOpInterface>]> {
  let summary = "Lets a number in memory be a symbol: an extent that a run finds";
  let description = [{
    From here on the symbol of that number among those of the function is what
    the memory holds. That must be in [0, most], or the run fails; `what`,
    `op_name` and `label` are as of `tgx.entry_check`. Stands in functions before
    and after `schedule`, where the number is a value or a buffer.

    ```mlir
    tgx.measure %n as 1 at_most [s0] -> (s0 * 4) {label = "R0", op_name = "tg.nonzero", what = "the extent"} : tensor<i64>
    ```

    * C1: the number is an i64 of rank 0, `symbol` that of one that runs find;
      `most` is one number, in a `tgx.function` what `found` says.
    * C4: as of `tgx.launch`.
  }];
  let arguments = (ins AnyRankedTensor:$number, I64Attr:$symbol,
                       AffineMapAttr:$most, StrAttr:$what, StrAttr:$op_name,
                       StrAttr:$label);
  let assemblyFormat = [{
    $number `as` $symbol `at_most` `` custom<SymbolMap>($most) attr-dict `:`
    type($number)
  }];
  let hasVerifier = 1;
}

def Tgx_EntryCheckOp : Tgx_Op<"entry_check", [
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "A relation of two numbers that must hold before the first kernel";
  let description = [{
    Both map the function's symbols to one number; with `at_most` the first must
    not be greater than the second, with `at_least` not less, else they must be
    equal. `what` names the
    first, as in "lhs dim 1"; `op_name` is the op that asks, `label` the
    constraint that the message ends with.

    ```mlir
    tgx.entry_check "lhs dim 1" [s0, s1] -> (s0) expected at_most [s0, s1] -> (s1) {op_name = "tg.matmul"}
    ```

    * C1: both maps are one number, over the same symbols; `at_most` and
      `at_least` do not stand together.
  }];
  let arguments = (ins AffineMapAttr:$found, AffineMapAttr:$expected,
                       UnitAttr:$at_most, UnitAttr:$at_least, StrAttr:$what, StrAttr:$op_name,
                       DefaultValuedAttr<StrAttr, "\"R0\"">:$label);
  let assemblyFormat = [{
    $what `` custom<SymbolMap>($found) `expected` (`at_most` $at_most^)?
    (`at_least` $at_least^)?
    `` custom<SymbolMap>($expected) attr-dict
  }];
  let extraClassDeclaration = [{
    ::tg::ExtentRelation getRelation();
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_BUFFEROPS_TD
