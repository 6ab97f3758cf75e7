//===- BufferOps.td - buffers, and the ops that access them ---------------===//
#ifndef TG_DIALECTS_TGX_BUFFEROPS_TD
#define TG_DIALECTS_TGX_BUFFEROPS_TD

include "dialects/tg/CudaKernelAttr.td"
include "dialects/tgx/TgxBase.td"

/// Restricts an op to functions and to loops and branches in them.
def Tgx_InFunction
    : ParentOneOf<["FunctionOp", "ForOp", "WhileOp", "IfOp"]>;

/// A function has at most one op for each input, output, variable and workspace
/// [C1].
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
    * C1: `index` is the index of an input, and the types are equal.
  }];
  let arguments = (ins I64Attr:$index);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_OutputOp : Tgx_BufferOp<"output", ["getIdentity", "isWritable",
                                           "isFilledAtEntry"]> {
  let summary = "The memory of an output";
  let description = [{
    * C1: `index` is the index of an output, and the types are equal.
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
  let summary = "Variable packed into the layout that a contraction reads";
  let description = [{
    `pack` of the library fills the buffer: it runs `kernel`, a kernel of
    strategy "custom", on the variable.

    * C1: the variable and the kernel exist. C2: the kernel takes the variable
      alone, has no symbols and no checks, and gives the type of the buffer.
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
    * C1: the value is valid for `tg.constant` and has the type of the buffer.
  }];
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "attr-dict $value `->` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_WorkspaceOp : Tgx_BufferOp<"workspace", ["isWritable",
                                                 "isFilledAtEntry"]> {
  let summary = "A buffer in the planned arena";
  let description = [{
    `bytes` maps the function's symbols to the size. `above` lists the ids
    (`id`) of earlier buffers. The buffer begins at the first multiple of the
    alignment, 64 bytes, at or after the end of all of them. Offsets are
    constants if the sizes are, else they follow from the extents.

    ```
    %y = tgx.workspace 1 [s0] -> (s0 * 16) above [0] : tensor<?x4xf32>
    ```

    * C1: ids count the buffers in order; ids in `above` ascend and are less
      than `id`.
    * C2: `bytes` is one number, not negative, and the size of a static type.
    * C3: buffers that are live at one step never overlap, whatever the sizes. A
      buffer is live from the first to the last step that touches it. In the
      order of their ids each buffer lies above the one before, by constant
      offsets or through `above`.
  }];
  let arguments = (ins I64Attr:$id, AffineMapAttr:$bytes, DenseI64ArrayAttr:$above);
  let assemblyFormat = [{
    $id `` custom<SymbolMap>($bytes) `above` $above attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tgx_ViewOp : Tgx_BufferOp<"view", ["getViewed"]> {
  let summary = "The memory of a buffer with other extents";
  let description = [{
    * C1: the source is an earlier buffer of the same element type. C2: the
      sizes are equal; the size of a view with a `?` is checked at its uses.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($buffer)";
  let hasVerifier = 1;
}

def Tgx_PartOp : Tgx_BufferOp<"part"> {
  let summary = "Some of the elements of a buffer along an axis";
  let description = [{
    The elements from index `offset` on; the type gives their number. The part
    has the row stride of the whole buffer, and kernels must know it
    (`#tgx.rows`).

    ```
    %a = tgx.part %y along 1 at 50 : tensor<?x150xf32> -> tensor<?x100xf32>
    ```

    * C1: the source is an earlier buffer of the same element type and rank, and
      not a part; extents from the axis on are static, and the others are equal.
      C2: the elements exist in the source. C3: all parts of one memory are
      along the same axis, and their sources have equal extents from it on.
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$axis, I64Attr:$offset);
  let assemblyFormat = [{
    $source `along` $axis `at` $offset attr-dict `:` type($source) `->`
    type($buffer)
  }];
  let extraClassDeclaration = [{
    /// Returns the memory layout of the elements; null if they are contiguous.
    RowsAttr getRows();
    /// Return the number of elements of a row of the source before the part,
    /// and in the part.
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
    An output may share the memory of an input. The kernel then updates that
    memory element by element.

    * C1: the kernel exists. C2: inputs and outputs have the types of the
      kernel's arguments and outputs, which may have fewer static extents. C3:
      `extents` gives a number for each symbol of the kernel.
    * C4: operands are earlier buffers; a buffer without content at the start of
      a call is written before it is read.
    * C5: outputs are outputs, variables or workspaces (or views of them), and
      no two share memory.
    * C6: the sizes of buffers equal the sizes of the kernel's arguments and
      outputs under `extents`, for all extents that pass the entry checks, where
      these checks can be solved.
    * C7: if an output shares the memory of an input, the kernel is a loop or a
      contraction, and reads each element of the input only for the same element
      of its outputs. No check in it reports a value that is computed from the
      input. Parts without common elements are different memory here and in C5.
    * C8: parts have the row stride that the kernel states, and other buffers
      have contiguous rows.
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
    * C1: `bytes` is one number over symbols. C2: both buffers have the same
      element type.
    * C4: as for `tgx.launch`. C5: the target is an output, a variable or a
      workspace, does not share memory with the source, and neither is a part.
      C6: both sizes are `bytes`, for all extents that pass the entry checks.
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
  let summary = "Calls a host function, prints, or asserts";
  let description = [{
    `text` is the name of the function, the label, or the message. `extents`
    lists the extents of the inputs and then of the outputs. `kernel` runs in
    place of a call on devices.

    ```
    tgx.host "call" "my_relu"(%x) into (%y) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
    tgx.host "assert" "is finite"(%ok) into () : tensor<i1> into ()
    ```

    * C1: `extents` gives the extents of all types. C2: prints have one input,
      asserts have one input of i1 and rank 0, and neither has an output. C3:
      calls alone have a kernel, and then an output.
    * C4: as for `tgx.launch`. C5: as for `tgx.launch`, and no buffer is a part.
      C6: the sizes of buffers follow from `extents`, for all extents that pass
      the entry checks.
  }];
  let arguments = (ins Tgx_HostActionAttr:$action, StrAttr:$text,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       AffineMapAttr:$extents,
                       OptionalAttr<Tg_CudaKernelAttr>:$kernel);
  let assemblyFormat = [{
    $action $text `(` $inputs `)` `into` `(` $outputs `)` ``
    custom<SymbolMap>($extents) attr-dict `:`
    custom<HostTypes>(type($inputs), type($outputs))
  }];
  let extraClassDeclaration = [{
    /// Returns the extents of an operand over the symbols.
    ::llvm::ArrayRef<::mlir::AffineExpr> getExtentsOf(unsigned operand);
    /// Returns the size of an operand, in bytes.
    ::mlir::AffineExpr countBytesOf(unsigned operand);
    /// Returns the size of all operands, in bytes.
    ::mlir::AffineExpr countBytes();
    /// Returns the number of arguments of the kernel: pointers and extents.
    unsigned countKernelArguments() {
      return getNumOperands() + getExtents().getNumResults();
    }
  }];
  let hasVerifier = 1;
}

def Tgx_MeasureOp : Tgx_Op<"measure", [
    DeclareOpInterfaceMethods<Tgx_StepOpInterface>]> {
  let summary = "Binds a number in memory to a symbol: a data-dependent size";
  let description = [{
    From here on, symbol `symbol` of the function has the value of `number`. The
    value must be in [0, most], or the run fails. `what`, `op_name` and `label`
    are as for `tgx.entry_check`. Before `schedule` the operand is a value,
    afterwards a buffer.

    ```mlir
    tgx.measure %n as 1 at_most [s0] -> (s0 * 4) {label = "R0", op_name = "tg.nonzero", what = "the extent"} : tensor<i64>
    ```

    * C1: the number is an i64 of rank 0; `symbol` is the index of a
      data-dependent symbol; `most` is one number, which in a `tgx.function` is
      the bound in `found`.
    * C4: as for `tgx.launch`.
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
    DeclareOpInterfaceMethods<Tgx_ExtentCheckOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>]> {
  let summary = "Relation of two numbers that is checked before the first kernel";
  let description = [{
    Both maps give one number over the function's symbols. With `at_most` the
    first must not be greater than the second, with `at_least` not less, else
    the numbers must be equal. `what` names the first number, as in "lhs dim 1".
    `op_name` is the op that requires the check, and `label` is the constraint
    at the end of the message.

    ```mlir
    tgx.entry_check "lhs dim 1" [s0, s1] -> (s0) expected at_most [s0, s1] -> (s1) {op_name = "tg.matmul"}
    ```

    * C1: both maps are one number, over the same symbols; at most one of
      `at_most` and `at_least` is present.
  }];
  let arguments = (ins AffineMapAttr:$found, AffineMapAttr:$expected,
                       UnitAttr:$at_most, UnitAttr:$at_least, StrAttr:$what, StrAttr:$op_name,
                       DefaultValuedAttr<StrAttr, "\"R0\"">:$label);
  let assemblyFormat = [{
    $what `` custom<SymbolMap>($found) `expected` (`at_most` $at_most^)?
    (`at_least` $at_least^)?
    `` custom<SymbolMap>($expected) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_BUFFEROPS_TD
