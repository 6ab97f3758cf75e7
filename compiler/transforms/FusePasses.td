//===- FusePasses.td - the passes of phase fuse ---------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSEPASSES_TD
#define TG_COMPILER_TRANSFORMS_FUSEPASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// fuse
//===----------------------------------------------------------------------===//

def PartitionDevices : Pass<"tg-partition-devices", "::mlir::ModuleOp"> {
  let summary = "Divide functions by the devices of their ops";
  let description = [{
    Divides each function into one function per stage and device,
    `f.<stage>.<device>`. These functions are the parts of the function, and
    pass values to each other by name. Parts of one stage do not depend on each
    other; a stage ends where another device needs a value. Ops are placed as
    follows:

    ```
    op with a device                  =>    on this device
    any other op                      =>    on the first device
    effect                            =>    on the first device, in order; variables last
    constant, extent, i64 scalar,     =>    in every part that needs it
    read before the first assignment
    ```

    If a value of a part is needed elsewhere, the ops of the part that it does
    not depend on move to the next stage, so that both devices compute at once.
    A function with a single device stays as it is.

    ```mlir
    func.func @f(%x: tensor<2xf32> {tg.name = "x"}) -> (tensor<2xf32> {tg.name = "z"}) {
      %y = tg.exp %x {tg.device = "cpu:1"} : tensor<2xf32>
      %z = tg.log %y : tensor<2xf32>
      return %z : tensor<2xf32>
    }
    // =>
    func.func @f.0.1(%x: tensor<2xf32> {tg.name = "x"}) -> (tensor<2xf32> {tg.name = "crossing.1"}) attributes {tg.device = "cpu:1", tg.role = "test"} {
      %y = tg.exp %x {tg.device = "cpu:1"} : tensor<2xf32>
      return %y : tensor<2xf32>
    }
    func.func @f.1.0(%y: tensor<2xf32> {tg.name = "crossing.1"}) -> (tensor<2xf32> {tg.name = "z"}) attributes {tg.device = "cpu:0", tg.role = "test"} {
      %z = tg.log %y : tensor<2xf32>
      return %z : tensor<2xf32>
    }
    ```

    An op on a device that is not among `devices` is an error, unless placement
    is `soft`: then it runs on the first device. The pass runs after gradients
    are expanded, on functions of one block. Cost: linear, times the number of
    stages.
  }];
  let options = [
    Option<"devices", "devices", "std::string", "\"cpu:0,cpu:1\"",
           "The available devices, separated by commas">,
    Option<"soft", "soft", "bool", "false",
           "Run ops on the first device if theirs is not available">
  ];
}

def TrapNan : Pass<"tg-trap-nan", "::mlir::ModuleOp"> {
  let summary = "Check the results of ops for NaN and infinity";
  let description = [{
    Inserts a `tgx.check_finite` after values that may not be finite:

    ```
    float input of a function          =>    checked before it is used
    elementwise op                     =>    checked: no NaN unless an operand is NaN,
                                             no infinity if all operands are finite
    elementwise op that keeps values
    finite (relu, maximum, tanh)       =>    nothing
    sums, products, all other ops      =>    checked: all elements of the results
    op that only moves elements        =>    nothing
    constant, read of a variable       =>    nothing
    ```

    A constant of -infinity, as in an attention mask, is therefore not an error,
    nor are the results of elementwise ops on it. A sum or matrix product over
    it is an error. If all operands of an elementwise op are known to be finite
    from earlier checks, only its result is checked. The content of a variable
    comes from the assignments of the module, which are checked as ops, or from
    files, which are not checked. Gradients and updates are treated as other
    ops. Composed ops are checked as a whole: the pass runs before
    `tg-prepare-kernels`, after all folding.

    With `nan-only` infinity is never an error.

    ```mlir
    func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
      %y = tg.log %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // =>
    func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
      %a = tgx.check_finite %x {op_name = "input 'x'"} : tensor<4xf32>
      %b = tg.log %a : tensor<4xf32>
      %y = tgx.check_finite %b {op_name = "tg.log"} : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```

    A remark reports the number of checks in each function. Cost: linear, times
    the number of iterations until the set of values that may be infinite in
    loops and variables no longer grows.
  }];
  let options = [
    Option<"nanOnly", "nan-only", "bool", "false",
           "Check for NaN only, not for infinity">
  ];
  let statistics = [
    Statistic<"checks", "checks", "Number of checks">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::tgx::TgxDialect"
  ];
}

def PrepareKernels : Pass<"tg-prepare-kernels", "::mlir::func::FuncOp"> {
  let summary = "Decompose ops before fusion";
  let description = [{
    ```
    read after assign            =>    the assigned value; the last assign stays
    assign of zeros in `init`    =>    nothing: variables begin with zeros
    op that can fail             =>    tgx.check_index or tgx.check_divisor before it
    op with a decomposition      =>    the simpler ops
    rank-0 i64 value known from extents    =>    tgx.size
    ```

    The results stay the same. Cost: linear, except for the analysis of extents.

    ```mlir
    tg.variable @w : tensor<4xf32>
    func.func @f(%g: tensor<4xf32> {tg.name = "g"}) -> (tensor<4xf32> {tg.name = "y"}) {
      tg.assign @w, %g : tensor<4xf32>
      %w = tg.read @w : tensor<4xf32>
      %y = tg.neg %w : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // =>
    tg.variable @w : tensor<4xf32>
    func.func @f(%g: tensor<4xf32> {tg.name = "g"}) -> (tensor<4xf32> {tg.name = "y"}) {
      %y = tg.neg %g : tensor<4xf32>
      tg.assign @w, %g : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def DivideReductions : Pass<"tg-divide-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce the operands of concatenations separately";
  let description = [{
    Replaces the reduction of a concatenation, if the concatenated axis is not
    reduced, by a concatenation of reductions of the parts. The kernels that
    compute the parts can then absorb the reductions. A part of several
    concatenations is reduced only once (after `cse`).

    ```mlir
    // tgc-opt --tg-divide-reductions --cse
    func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x2xf32>) -> tensor<6xf32> {
      %0 = tg.concat %a, %b {axis = 1} : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<8x6xf32>
      %y = tg.reduce_sum %0 {axes = [0]} : (tensor<8x6xf32>) -> tensor<6xf32>
      return %y : tensor<6xf32>
    }
    // =>
    func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x2xf32>) -> tensor<6xf32> {
      %0 = tg.reduce_sum %a {axes = [0]} : (tensor<8x4xf32>) -> tensor<4xf32>
      %1 = tg.reduce_sum %b {axes = [0]} : (tensor<8x2xf32>) -> tensor<2xf32>
      %y = tg.concat %0, %1 {axis = 0} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
      return %y : tensor<6xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"divided", "divided", "Number of reductions of concatenations">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def JoinConcatenations
    : Pass<"tg-join-concatenations", "::mlir::func::FuncOp"> {
  let summary = "Let kernels write the operands of concatenations in place";
  let description = [{
    Replaces a concatenation by a `tgx.join`, which no kernel computes, if at
    least half of it comes from ops that can write directly to their part of the
    result. The part must have static extents from the axis on, and rows of at
    least one cache line. At least one operand must come from an op that a
    kernel is built around, or from elementwise ops that follow such an op.
    Otherwise a kernel that computes the concatenation may compute the operands
    at no cost.

    ```mlir
    // tgc-opt --tg-join-concatenations
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x32xf32> {
      %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
      %b = tg.relu %a : tensor<8x16xf32>
      %y = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    // =>
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x32xf32> {
      %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
      %b = tg.relu %a : tensor<8x16xf32>
      %y = tgx.join %a, %b along 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"joined", "joined", "Number of concatenations replaced by joins">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def FuseKernels : Pass<"tg-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Fuse ops into kernels";
  let description = [{
    Ops that share an iteration space become one kernel: elementwise chains, ops
    around reductions over the same axes, the elementwise ops after a
    contraction, the reductions of its result over rows or windows (the gradient
    of a bias, the statistics of a batch), and cheap ops that compute its lhs
    from values in memory. Producers with a single consumer are sunk into it
    first. Then contractions and reductions absorb their consumers. Splat
    constants, numbers and iotas are computed again in each kernel. Equal
    kernels exist once. Kernels also count as equal if they differ only in
    numbers that calls can pass: random streams, starts of slices, scalar
    constants, and the extents of loops over one space.

    ```mlir
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) -> tensor<8x8xf32> {
      %p = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %y = tg.relu %p : tensor<8x8xf32>
      return %y : tensor<8x8xf32>
    }
    // =>
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) -> tensor<8x8xf32> {
      %y = tgx.call @matmul_relu__f(%x, %w) : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      return %y : tensor<8x8xf32>
    }
    tgx.kernel @matmul_relu__f contraction(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) {
      %p = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %y = tg.relu %p : tensor<8x8xf32>
    }
    ```

    The strategy of a kernel decides which ops it absorbs, and how many bytes
    that saves. Afterwards cheap ops on values in memory are recomputed by all
    kernels that use their result, if that saves bytes, and by kernels that read
    these values in any case. At the peak of live bytes, the values of the
    smallest cut through the graph are saved. Kernels after the cut recompute
    the other values that would have to be saved, if the total of bytes read and
    written does not grow. Not done: fusion over a view, several contractions in
    one kernel. The algorithm is greedy except for the cuts. Its time is
    near-linear, unless the search for a second path between two merged ops
    visits many ops again and again.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true",
           "Merge ops; false: one op per kernel">,
    Option<"maximumOps", "max-ops", "unsigned", "64",
           "Maximum number of ops in one kernel">,
    Option<"repeat", "repeat", "bool", "true",
           "Recompute cheap ops where that saves memory; results stay bitwise "
           "the same">
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of distinct kernels">,
    Statistic<"merges", "merges", "Number of merges of ops into one kernel">,
    Statistic<"repetitions", "repetitions",
              "Number of values that kernels recompute instead of reading them, "
              "or after the peak of live bytes instead of saving them">,
    Statistic<"savedBytes", "saved-bytes",
              "Bytes that kernels need not read because of merges, at the "
              "planned extents">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def PackWeights : Pass<"tg-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Pack weights into the layout that contractions read";
  let description = [{
    In a function without assignments, a variable is packed if it is the rhs of
    a contraction, or if the rhs is a view of it (such as a 1x1 filter as a
    matrix). A kernel of its own packs it. The library runs this kernel once per
    change of the weights, not in the function. The target chooses the width of
    the panels.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-pack-weights
    tg.variable @w : tensor<4x64xf32>
    func.func @f(%x: tensor<8x4xf32>) -> tensor<8x64xf32> {
      %w = tg.read @w : tensor<4x64xf32>
      %y = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
      return %y : tensor<8x64xf32>
    }
    // =>
    tg.variable @w : tensor<4x64xf32>
    func.func @f(%x: tensor<8x4xf32>) -> tensor<8x64xf32> {
      %w = tg.read @w : tensor<4x64xf32>
      %p = tgx.call @pack_4x64_f32(%w) : (tensor<4x64xf32>) -> tensor<1x4x64xf32>
      %y = tgx.call @matmul__f_packed(%x, %p) : (tensor<8x4xf32>, tensor<1x4x64xf32>) -> tensor<8x64xf32>
      return %y : tensor<8x64xf32>
    }
    tgx.kernel @pack_4x64_f32 custom(%w: tensor<4x64xf32>) {
      %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x64xf32>) -> tensor<1x4x64xf32>
    }
    tgx.kernel @matmul__f_packed contraction(%x: tensor<8x4xf32>, %p: tensor<1x4x64xf32>) attributes {algorithm = "panels"} {
      %w = tgx.unpack %p as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x64xf32>
      %y = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
    }
    ```

    Filters of convolutions, and of the gradients of their inputs, are packed
    for Winograd's algorithm if their order states it. Functions with
    assignments pack the filter in every run, before the first contraction that
    reads it in this layout. Functions whose filter is not a variable do the
    same. For few tiles, kernels transform the filter themselves instead. In
    gradients of filters, kernels transform both operands themselves.

    In the gradient of an input by direct convolution, the columns of the filter
    are not contiguous: each tile of the kernel would have to transpose them.
    Functions with assignments also pack these filters, if there are at least 16
    columns and many rows.

    A rectangle of a variable (such as the rows of a recurrent kernel that are
    multiplied by the state) is packed directly from the variable, without
    another copy. A loop-invariant operand of a contraction is packed once,
    before the outermost loop that does not compute it, also in functions with
    assignments.

    Not done: panels of other weights in functions that train, because
    contractions copy these as fast as a separate kernel would. Boxes of tensors
    of a rank other than 2 are copied before they are packed.
  }];
  let statistics = [
    Statistic<"packedContractions", "packed-contractions",
              "Number of contractions that read packed weights">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def PlaceParts : Pass<"tg-place-parts", "::mlir::ModuleOp"> {
  let summary = "Mark the arguments and outputs of kernels that are parts of larger buffers";
  let description = [{
    The operands of a `tgx.join` are placed in the memory of its result, and
    nested joins in one buffer. Kernels that write or read the operands get
    their row layouts; there is one kernel for each combination. A kernel copies
    operands that cannot be placed there: inputs, variables, values that are
    returned, assigned or viewed, or joined twice, and operands of kernels that
    cannot handle row layouts.

    ```mlir
    // tgc-opt --tg-join-concatenations --tg-fuse-kernels --tg-place-parts
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x32xf32> {
      %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
      %b = tg.relu %a : tensor<8x16xf32>
      %y = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    // =>
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x32xf32> {
      %a:2 = tgx.call @matmul_relu__f(%x, %w) : (tensor<8x4xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
      %y = tgx.join %a#0, %a#1 along 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    tgx.kernel @matmul_relu__f contraction(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 32>, #tgx.rows<axis = 1, row_stride = 32>]} {
      %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
      %b = tg.relu %a : tensor<8x16xf32>
      tgx.yield %a, %b : tensor<8x16xf32>, tensor<8x16xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"copies", "copies", "Number of operands of joins that are copied">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

#endif // TG_COMPILER_TRANSFORMS_FUSEPASSES_TD
