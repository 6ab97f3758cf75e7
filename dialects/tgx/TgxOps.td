//===- TgxOps.td - how to run it: kernels, buffers, launches --------------===//
#ifndef TG_DIALECTS_TGX_TGXOPS_TD
#define TG_DIALECTS_TGX_TGXOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/tg/TgBase.td"
include "dialects/tgx/TgxInterfaces.td"

def Tgx_Dialect : Dialect {
  let name = "tgx";
  let cppNamespace = "::tgx";
  let summary = "How to run it: kernels, launches and buffers in memory";
  let description = [{
    The output of the phases `fuse` and `schedule`, and the input of the code
    generators.

    After `fuse` every computing op stands in a `tgx.kernel`, and functions
    `tgx.call` kernels on tensor values. After `schedule` functions are
    `tgx.function`: a list of buffers in memory and of launches that read and
    write them.

    Extents are affine maps `()[s0, …] -> (…)` over symbols: of a function, the
    extents that its inputs bind; of a kernel, what a call passes as `extents`.
    They have no dimensions, and constant divisors are above 0.

    Verifiers say that what they accept runs: whatever the inputs, launches get
    memory of the size that their kernels touch, and buffers that are live
    together stay apart. G1 and G5 of the tg dialect hold here, too.

    After `fuse`, with checks, a size and a value that is only filled in:

    ```mlir
    func.func @f(%x: tensor<?xi32>, %i: tensor<?xi32>) -> (tensor<?xi32>, tensor<4xi32>) {
      %y = tgx.call @div_gather__f(%x, %i) [s0, s1] -> (s0, s1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      %ones = tgx.call @fill__f() : () -> tensor<4xi32>
      return %y, %ones : tensor<?xi32>, tensor<4xi32>
    }
    tgx.kernel @div_gather__f loop[s0, s1](%x: tensor<?xi32> [s0], %i: tensor<?xi32> [s1]) {
      %n = tgx.size [s0, s1] -> (s0) : tensor<i64>
      %m = tg.cast %n {element_type = i32} : (tensor<i64>) -> tensor<i32>
      %d = tgx.check_divisor %m {op_name = "tg.div"} : tensor<i32>
      %q = tg.div %x, %d : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
      %j = tgx.check_index %i below [s0, s1] -> (s0) {op_name = "tg.gather"} : tensor<?xi32>
      %y = tg.gather %q, %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      tgx.yield %y : tensor<?xi32>
    }
    tgx.kernel @fill__f loop() with(%one = dense<1> : tensor<4xi32>) {
      %y = tgx.materialize %one : tensor<4xi32>
      tgx.yield %y : tensor<4xi32>
    }
    ```

    After `schedule`, where a function updates its variable in place and reads
    another one that is packed ahead:

    ```mlir
    tg.variable @bias : tensor<4xf32>
    tg.variable @w : tensor<4x40xf32>
    tgx.function @f attributes {
        role = "", symbols = ["n", "flat.0"], computed = affine_map<()[s0] -> (s0 * 4)>,
        inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>} ],
        outputs = [{name = "y", type = tensor<?x40xf32>, extents = affine_map<()[s0] -> (s0, 40)>},
                   {name = "flat", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0 * 4)>} ]} {
      tgx.entry_check "x dim 0" [s0] -> (s0) expected at_most [s0] -> (100) {op_name = "tg.slice"}
      %x = tgx.input 0 : tensor<?x4xf32>
      %y = tgx.output 0 : tensor<?x40xf32>
      %flat = tgx.output 1 : tensor<?xf32>
      %bias = tgx.slab @bias : tensor<4xf32>
      %ones = tgx.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
      %rows = tgx.workspace 0 [s0] -> (s0 * 16) above [] : tensor<?x4xf32>
      %w = tgx.packed @w by @pack : tensor<1x4x64xf32>
      tgx.launch @add_vectors(%bias, %ones) into (%bias) [s0] -> () : tensor<4xf32>, tensor<4xf32> into tensor<4xf32>
      tgx.launch @add(%x, %bias) into (%rows) [s0] -> (s0) : tensor<?x4xf32>, tensor<4xf32> into tensor<?x4xf32>
      tgx.launch @matmul(%rows, %w) into (%y) [s0] -> (s0) : tensor<?x4xf32>, tensor<1x4x64xf32> into tensor<?x40xf32>
      %line = tgx.view %rows : tensor<?x4xf32> -> tensor<?xf32>
      tgx.copy %line to %flat [s0] -> (s0 * 16) : tensor<?xf32> to tensor<?xf32>
    }
    tgx.kernel @add_vectors loop(%a: tensor<4xf32>, %b: tensor<4xf32>) {
      %y = tg.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    }
    tgx.kernel @add loop[s0](%a: tensor<?x4xf32> [s0, 4], %b: tensor<4xf32>) {
      %y = tg.add %a, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    }
    tgx.kernel @pack custom(%w: tensor<4x40xf32>) {
      %p = tgx.pack %w as <axis = 1, width = 64> : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    }
    tgx.kernel @matmul contraction[s0](%x: tensor<?x4xf32> [s0, 4], %p: tensor<1x4x64xf32>) {
      %w = tgx.unpack %p as <axis = 1, width = 64> : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
      %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x40xf32>) -> tensor<?x40xf32>
    }
    ```
  }];
  let dependentDialects = ["::tg::TgDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Tgx_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tgx_Dialect, mnemonic, [Tg_GeneralConstraints] # traits>;

/// The kinds of kernels; each has one emitter per target.
def Tgx_Strategy : I32EnumAttr<"Strategy", "strategy of a kernel", [
  // Every result element on its own, from elements of the arguments.
  I32EnumAttrCase<"loop", 0>,
  // Reductions over the same axes, with what is computed before and after.
  I32EnumAttrCase<"reduction", 1>,
  // One matmul with elementwise ops around it.
  I32EnumAttrCase<"contraction", 2>,
  // One op with an emitter of its own: scatter, top_k.
  I32EnumAttrCase<"custom", 3>
]> {
  let cppNamespace = "::tgx";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

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
      (loop), at least one reduction beside (reduction), one contraction and the
      panels that it reads beside (contraction), one other op beside (custom).
    * C6: the extents of all values follow from the symbols.
    * C7: outputs are results of ops of the body, each once.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tgx_Strategy:$strategy,
                       I64Attr:$symbol_count, AffineMapArrayAttr:$argument_extents,
                       ArrayAttr:$argument_sizes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// What the body yields.
    ::mlir::OperandRange getOutputs();
    /// The extents of all values of the body over the kernel's symbols.
    ::llvm::LogicalResult analyzeExtents(::tg::ExtentAnalysis &analysis);
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
    Dimension `axis` of a matrix, 0 or 1, are its n columns, the other one
    its k rows, over which a contraction sums: the panels are
    [⌈n / width⌉, k, width]. The target chose the width, in elements; missing
    columns are 0.
  }];
  let parameters = (ins "unsigned":$axis, "int64_t":$width);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// The panels of a matrix of static extents.
    ::mlir::RankedTensorType
    getPackedType(::mlir::RankedTensorType matrix) const;
  }];
}

def Tgx_PackOp : Tgx_BodyOp<"pack"> {
  let summary = "A matrix as panels of columns, for contractions";
  let description = [{
    Static extents. The one op of a kernel of strategy "custom".

    ```mlir
    %p = tgx.pack %w as <axis = 1, width = 64> : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    ```

    * C1: the layout has an axis of a matrix and a width, the input is a static
      matrix. C2: the result is its panels, of the same element type.
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

    * C1: the layout has an axis of a matrix and a width, the result is a static
      matrix. C2: the input is its panels, of the same element type.
  }];
  let arguments = (ins Tg_FloatTensor:$input, Tgx_PanelsAttr:$layout);
  let results = (outs Tg_FloatTensor:$result);
  let assemblyFormat = [{
    $input `as` $layout attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Functions after `schedule`
//===----------------------------------------------------------------------===//

def Tgx_FunctionOp : Tgx_Op<"function", [Symbol, IsolatedFromAbove,
    SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function of the library: buffers and launches in order";
  let description = [{
    `inputs` and `outputs` are lists of {name, type, extents}: extents map the
    symbols to the dimensions. `symbols` names the numbers that inputs bind,
    then those of `computed`, a map of the former; output dimensions that are
    computed are among the latter. `role` is "init", "train", "test" or "".
    `arena_bytes` and `lower_bound_bytes` are the arena and the most bytes that
    are live together, for the extents that the plan was made for.

    Maps inside are over the numbers that inputs bind.

    * C1: the role is one of these. C2: symbols have different names, one for
      each number of `computed`, a map over the others.
    * C3: inputs and outputs are such lists, with names that differ and extents
      that fit the types.
    * C4: an unknown extent of an input is a symbol, and each symbol that inputs
      bind is one; an unknown extent of an output is a symbol or in `computed`.
    * C5: the body, a block without arguments, holds buffers, steps (launches and
      copies) and entry checks alone; maps are over the symbols that inputs bind.
    * C6: each output is written.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$role,
                       StrArrayAttr:$symbols, AffineMapAttr:$computed,
                       ArrayAttr:$inputs, ArrayAttr:$outputs,
                       OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<I64Attr>:$lower_bound_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Symbols that the inputs bind.
    unsigned getBoundCount() {
      return getSymbols().size() - getComputed().getNumResults();
    }
  }];
}

/// A function states the buffer of an index, a variable or an id once [C1].
class Tgx_BufferOp<string mnemonic, list<string> methods = [],
                  list<Trait> traits = []>
    : Tgx_Op<mnemonic, [
        HasParent<"FunctionOp">,
        DeclareOpInterfaceMethods<Tgx_BufferOpInterface,
                                  ["countBytes"] # methods>
      ] # traits> {
  let results = (outs AnyRankedTensor:$buffer);
}

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
    first multiple of 64 at or after the end of every buffer in `above`, which
    are numbers (`id`) of buffers before it: offsets are constants where sizes
    are, and follow from the extents elsewhere.

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

class Tgx_StepOp<string mnemonic, list<Trait> traits = []>
    : Tgx_Op<mnemonic, [
        HasParent<"FunctionOp">,
        DeclareOpInterfaceMethods<Tgx_StepOpInterface>
      ] # traits>;

def Tgx_LaunchOp : Tgx_StepOp<"launch", [AttrSizedOperandSegments]> {
  let summary = "Runs a kernel on buffers";
  let description = [{
    An output may have the memory of an input, which the kernel then updates
    element by element.

    * C1: the kernel exists. C2: inputs and outputs have the types of its
      arguments and outputs. C3: `extents` gives a number for each of its
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
      its outputs alone.
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
      workspace in other memory than the source. C6: both sizes are `bytes`, for
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

def Tgx_EntryCheckOp : Tgx_Op<"entry_check"> {
  let summary = "Two numbers that must be equal before the first kernel";
  let description = [{
    Both map the function's symbols to one number; with `at_most` the first must
    not be greater than the second, else they must be equal. `what` names the
    first, as in "lhs dim 1"; `op_name` is the op that asks, `label` the
    constraint that the message ends with.

    ```mlir
    tgx.entry_check "lhs dim 1" [s0, s1] -> (s0) expected at_most [s0, s1] -> (s1) {op_name = "tg.matmul"}
    ```

    * C1: both maps are one number, over the same symbols.
  }];
  let arguments = (ins AffineMapAttr:$found, AffineMapAttr:$expected,
                       UnitAttr:$at_most, StrAttr:$what, StrAttr:$op_name,
                       DefaultValuedAttr<StrAttr, "\"R0\"">:$label);
  let assemblyFormat = [{
    $what `` custom<SymbolMap>($found) `expected` (`at_most` $at_most^)?
    `` custom<SymbolMap>($expected) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TGX_TGXOPS_TD
