//===- Passes.td - the passes over tg and tgx -----------------------------===//
//
// One def per pass, in the order of the pipeline, and at the end the pipeline
// itself. Declaration, registration, options, statistics, the generated manual
// and the phases of the driver all come from here.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_PASSES_TD
#define TG_COMPILER_TRANSFORMS_PASSES_TD

include "llvm/TableGen/SearchableTable.td"
include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// graph
//===----------------------------------------------------------------------===//

def CheckModule : Pass<"tg-check-module", "::mlir::ModuleOp"> {
  let summary = "Check the rules of a whole module";
  let description = [{
    Reports the errors that the verifiers of single ops cannot see: M1 to M10 of
    the language (names, roles, the assignments of `init`, the ops that `test`
    reaches). Changes nothing.

    ```mlir
    // expected-error @+1 {{argument 1: expected a tg.name, found none [M2]}}
    func.func @f(%x: tensor<4xf32>) {
      return
    }
    ```
  }];
}

def InlineCalls : Pass<"tg-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline the calls of private functions";
  let description = [{
    Replaces every `func.call` by a copy of the callee's body, with call-site
    locations, and removes the private functions. The module has no recursion
    [M3]; `tg-check-module` has checked this.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = func.call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = tg.relu %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // =>
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = tg.relu %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```

    Afterwards the module holds only variables and public functions.
  }];
  let statistics = [
    Statistic<"callsInlined", "calls-inlined", "Number of calls replaced">,
    Statistic<"functionsRemoved", "functions-removed",
              "Number of private functions removed">
  ];
}

def SelectFunctions : Pass<"tg-select-functions", "::mlir::ModuleOp"> {
  let summary = "Remove functions and outputs that were not requested";
  let description = [{
    `functions = "test,score"` removes all other functions except `init`.
    `keep = "train:loss;test:digit"` removes all other outputs of these
    functions. `tg-trim-dead-nodes` then removes the ops and variables that are
    no longer needed. The module must have no calls.

    ```mlir
    // tgc-opt --tg-select-functions="functions=double"
    func.func @double(%x: tensor<f32>) -> tensor<f32> {
      %y = tg.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func @negative(%x: tensor<f32>) -> tensor<f32> {
      %y = tg.neg %x : tensor<f32>
      return %y : tensor<f32>
    }
    // =>
    func.func @double(%x: tensor<f32>) -> tensor<f32> {
      %y = tg.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    ```

    Random ops name their streams, so `init` gives a variable the same samples
    as in the whole model.
  }];
  let options = [
    Option<"functions", "functions", "std::string", /*default=*/"",
           "Functions to keep beside init, as in test,score; default: all">,
    Option<"keep", "keep", "std::string", /*default=*/"",
           "Outputs to keep, by function, as in train:loss;test:digit,score">
  ];
  let statistics = [
    Statistic<"functionsRemoved", "functions-removed",
              "Number of functions removed">,
    Statistic<"outputsCut", "outputs-cut", "Number of outputs removed">
  ];
}

//===----------------------------------------------------------------------===//
// shapes
//===----------------------------------------------------------------------===//

def InferShapes : Pass<"tg-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Make extents static where they are known";
  let description = [{
    Binds named extents to numbers (`dims`), turns dynamic sizes with known
    values into attributes, and infers all types again, in program order.

    ```mlir
    // tgc-opt --tg-infer-shapes="dims=n=32"
    func.func @f(%x: tensor<?x4xf32> {tg.dims = ["n", ""]}) -> tensor<?xi64> {
      %n = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>
      %i = tg.iota %n {axis = 0, element_type = i64, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
      return %i : tensor<?xi64>
    }
    // =>
    func.func @f(%x: tensor<32x4xf32> {tg.dims = ["", ""]}) -> tensor<32xi64> {
      %n = tg.dim %x {axis = 0} : (tensor<32x4xf32>) -> tensor<i64>
      %i = tg.iota {axis = 0, element_type = i64, shape = [32]} : () -> tensor<32xi64>
      return %i : tensor<32xi64>
    }
    ```

    Afterwards every extent is static or follows from extents of arguments,
    every check that compares two numbers has been made, and constant indices
    are in range. Violations are compile-time errors.
  }];
  let options = [
    Option<"dims", "dims", "std::string", /*default=*/"",
           "Values of named extents, as in batch=32,classes=10">
  ];
  let statistics = [
    Statistic<"sizesBound", "sizes-bound",
              "Number of dynamic sizes that became attributes">,
    Statistic<"typesRefined", "types-refined",
              "Number of values whose type became more static">,
    Statistic<"checksLeft", "checks-left",
              "Number of extents that are compared on entry">
  ];
}

//===----------------------------------------------------------------------===//
// grad
//===----------------------------------------------------------------------===//

def ExpandGradients : Pass<"tg-expand-gradients", "::mlir::ModuleOp"> {
  let summary = "Replace gradient requests by ordinary ops";
  let description = [{
    Reverse-mode differentiation of tensors. Requests are expanded in program
    order, so that a later request may differentiate an earlier result. Only ops
    between the requested values and the target are differentiated. Each op has
    its own rule (DifferentiableOpInterface), so the pass names no op. Absent
    cotangents are zero and never built. The cotangents of several uses are
    added in reverse program order of the uses. A read stands for the value
    assigned before it, or for the content of the variable on entry. The rule of
    `tg.custom_gradient` is its region; at the end the op is replaced by the ops
    of its forward region.

    ```mlir
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %e = tg.exp %x : tensor<f32>
      %y = tg.neg %e : tensor<f32>
      %g = tg.gradient %y wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    }
    // =>
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %e = tg.exp %x : tensor<f32>
      %y = tg.neg %e : tensor<f32>
      %one = tg.constant dense<1.0> : tensor<f32>
      %a = tg.neg %one : tensor<f32>
      %g = tg.mul %a, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    }
    ```

    Errors: C4 (not connected), C5 (an op without a gradient on the path, a read
    after an update). Cost: a few ops per differentiated op. In a function with
    gradients of gradients, equal ops are merged after each request. A request
    is an error if it raises the total to more than 2^16 built ops or 2^21
    visited ops.
  }];
  let statistics = [
    Statistic<"requestsExpanded", "requests-expanded",
              "Number of gradient requests replaced">,
    Statistic<"opsDifferentiated", "ops-differentiated",
              "Number of gradient rules applied">
  ];
}

//===----------------------------------------------------------------------===//
// trim
//===----------------------------------------------------------------------===//

def TrimDeadNodes : Pass<"tg-trim-dead-nodes", "::mlir::ModuleOp"> {
  let summary = "Remove ops that no output or update needs";
  let description = [{
    The roots are the results of functions, assignments and updates. Ops that no
    root needs are removed, with their run-time checks. If a variable is
    assigned twice without a read in between, only the last assignment stays.
    Variables that only `init` uses are removed with their assignments in
    `init`. With `keep-variables` they stay: libraries of different functions
    then have the same layout of variables. Inputs stay even if they are unused.

    ```mlir
    tg.variable @w : tensor<4xf32>
    tg.variable @unused : tensor<4xf32>
    func.func @f(%x: tensor<4xf32>) {
      %e = tg.exp %x : tensor<4xf32>
      tg.assign @w, %e : tensor<4xf32>
      tg.assign @w, %x : tensor<4xf32>
      return
    }
    // =>
    tg.variable @w : tensor<4xf32>
    func.func @f(%x: tensor<4xf32>) {
      tg.assign @w, %x : tensor<4xf32>
      return
    }
    ```
  }];
  let options = [
    Option<"keepVariables", "keep-variables", "bool", /*default=*/"false",
           "Keep variables that nothing uses">
  ];
  let statistics = [
    Statistic<"opsErased", "ops-erased", "Number of unneeded ops removed">,
    Statistic<"assignsErased", "assigns-erased",
              "Number of overwritten assigns removed">,
    Statistic<"variablesErased", "variables-erased",
              "Number of unused variables removed">
  ];
}

def FoldConstants : Pass<"tg-fold-constants", "::mlir::ModuleOp"> {
  let summary = "Fold ops with constant operands, bit for bit";
  let description = [{
    Ops on constants become constants through EvaluableOpInterface, if the
    result has at most `max-bytes`. An op that would fail at run time stays.
    Other rewrites must keep every bit, including NaN and signed zeros:

    ```mlir
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %squares = tg.constant dense<[1.0, 4.0]> : tensor<2xf32>
      %roots = tg.sqrt %squares : tensor<2xf32>
      %one = tg.constant dense<1.0> : tensor<f32>
      %y = tg.div %x, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      %row = tg.reshape %x {shape = [1, 2]} : (tensor<2xf32>) -> tensor<1x2xf32>
      %z = tg.reshape %row {shape = [2]} : (tensor<1x2xf32>) -> tensor<2xf32>
      return %roots, %y, %z : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }
    // =>
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %roots = tg.constant dense<[1.0, 2.0]> : tensor<2xf32>
      return %roots, %x, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }
    ```

    `x * 1`, `x - 0` and a transpose of a transpose are also folded. x + 0
    stays, because -0 + 0 is 0.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"65536",
           "Largest constant to make">
  ];
  let statistics = [
    Statistic<"opsEvaluated", "ops-evaluated",
              "Number of ops replaced by their value">
  ];
}

def EmbedWeights : Pass<"tg-embed-weights", "::mlir::ModuleOp"> {
  let summary = "Let init assign the values of a weights file";
  let description = [{
    `init` becomes a function without inputs. It assigns to every variable, as a
    constant, the tensor of the same name in a safetensors file. Other tensors
    of the file, such as slots of an optimizer, are ignored. Without `file`
    nothing changes.

    ```mlir
    // tgc-opt --tg-embed-weights="file=none.safetensors" --verify-diagnostics
    // expected-error @unknown {{'none.safetensors' cannot be read: No such file or directory}}
    tg.variable @w {trainable} : tensor<2xf32>
    func.func @init(%seed: tensor<i64>) attributes {tg.role = "init"} {
      %w = tg.random_normal %seed, %seed {shape = [2], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<2xf32>
      tg.assign @w, %w : tensor<2xf32>
      return
    }
    ```

    Errors: a file that is not a safetensors file, or is damaged; a variable
    whose tensor is missing or has another type or shape.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"",
           "The safetensors file with a tensor for every variable">
  ];
  let statistics = [
    Statistic<"bytesEmbedded", "bytes-embedded",
              "Number of bytes of embedded initial values">
  ];
}

def IdentifyProgram : Pass<"tg-identify-program", "::mlir::ModuleOp"> {
  let summary = "Record the identity of the program";
  let description = [{
    Sets the attribute `tg.program` of the module to the SHA-256 of its text
    without locations. The hash identifies what the functions compute,
    independently of later phases, and becomes part of the library's `model_id`.

    ```mlir
    module {
    }
    // =>
    module attributes {tg.program = "a7c3ea80d1f603bfd137f121bae4581221c1473e12046b8eabb20e671834ccb6"} {
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// numerics
//===----------------------------------------------------------------------===//

def LiftState : Pass<"tg-lift-state", "::mlir::func::FuncOp"> {
  let summary = "Move state out of regions";
  let description = [{
    ```
    tg.update groups { body }     =>    tg.read, the body on whole tensors, tg.assign
    tg.read in a region           =>    a value from outside, or one that is carried
    tg.assign in a region         =>    a carried value; tg.assign after the op
    condition of a tg.while       =>    carried: computed before and in each
                                        iteration
    ```

    The results stay the same. Cost: linear.

    ```mlir
    tg.variable @w : tensor<4xf32>
    func.func @f(%p: tensor<i1> {tg.name = "p"}) {
      tg.if %p : (tensor<i1>) -> () {
        %old = tg.read @w : tensor<4xf32>
        %new = tg.neg %old : tensor<4xf32>
        tg.assign @w, %new : tensor<4xf32>
      } else {
      }
      return
    }
    // =>
    tg.variable @w : tensor<4xf32>
    func.func @f(%p: tensor<i1> {tg.name = "p"}) {
      %old = tg.read @w : tensor<4xf32>
      %w = tg.if %p : (tensor<i1>) -> tensor<4xf32> {
        %new = tg.neg %old : tensor<4xf32>
        tg.yield %new : tensor<4xf32>
      } else {
        tg.yield %old : tensor<4xf32>
      }
      tg.assign @w, %w : tensor<4xf32>
      return
    }
    ```
  }];
}

def MeasureExtents : Pass<"tg-measure-extents", "::mlir::func::FuncOp"> {
  let summary = "Bind data-dependent sizes to symbols";
  let description = [{
    ```
    tg.nonzero                    =>    a count for each chunk; tgx.measure of their sum; the coordinates
                                        of each chunk, from its offset on
    tg.ensure_shape with bounds   =>    tgx.measure of the extent, a slice
    a number used as a size       =>    tgx.measure before its first use;
                                        tgx.size at its uses
    extents that differ between   =>    carried: a buffer with the upper bound of the
    regions or iterations               extent, and the extent; a slice of the buffer at each use
    ```

    Afterwards every extent follows from numbers that inputs and measures bind.
    Extents for which this held before stay as they are. Cost: linear per level
    of regions, and per extent that is bounded by another one. Error: more
    data-dependent sizes than a library has room for.

    ```mlir
    func.func @f(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %k: tensor<i64> {tg.name = "k"}) -> (tensor<?xf32> {tg.name = "y"}) {
      %y = tg.slice %x, %k {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    }
    // =>
    func.func @f(%x: tensor<?xf32> {tg.dims = ["n"], tg.name = "x"}, %k: tensor<i64> {tg.name = "k"}) -> (tensor<?xf32> {tg.name = "y"}) {
      tgx.measure %k as 1 at_most [s0, s1] -> (s0) {label = "R1", op_name = "tg.slice", what = "size on dim 0, which follows from input 'k',"} : tensor<i64>
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %y = tg.slice %x, %n {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    }
    ```
  }];
  let dependentDialects = ["::tgx::TgxDialect"];
  let statistics = [
    Statistic<"measured", "measured", "Number of values whose extents became symbols">,
    Statistic<"analyses", "analyses", "Number of analyses of the function">
  ];
}

def SplitScans : Pass<"tg-split-scans", "::mlir::func::FuncOp"> {
  let summary = "Compute the products of all iterations of a loop at once";
  let description = [{
    Moves loop-invariant products and sums, with the ops that they depend on,
    before a `tg.scan` or `tg.while`, and out of all loops in which they are
    invariant. From the body of a `tg.while` they move into a branch under its
    first condition. From a branch with an invariant condition they move under
    this condition. Loops that are invariant as a whole also move. Ops stay if
    they would take more memory than their operands, or if they may fail and the
    loop or branch might not run.

    In the body of a `tg.scan`, products of elements of inputs move before the
    loop. Products that are only stacked move after it. Sums over all steps,
    which a gradient carries, also move after it: the sum of a weight's gradient
    becomes one product, whose rows are the rows of all steps. The operands of
    the moved ops are stacked, if they are not already. An op declares whether
    it can be computed for all steps at once (`BatchableOpInterface`), or from
    the sums of its operands (`LinearOpInterface`). The order of additions
    changes.

    ```mlir
    func.func @f(%x: tensor<9x2x3xf32>, %h: tensor<2x3xf32>, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {
      %y = tg.scan inits(%h) inputs(%x) : (tensor<2x3xf32>, tensor<9x2x3xf32>) -> tensor<2x3xf32> {
      ^bb0(%old: tensor<2x3xf32>, %in: tensor<2x3xf32>):
        %p = tg.matmul %in, %w : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
        %new = tg.mul %old, %p : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        tg.yield %new : tensor<2x3xf32>
      }
      return %y : tensor<2x3xf32>
    }
    // =>
    func.func @f(%x: tensor<9x2x3xf32>, %h: tensor<2x3xf32>, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {
      %rows = tg.reshape %x {shape = [18, 3]} : (tensor<9x2x3xf32>) -> tensor<18x3xf32>
      %all = tg.matmul %rows, %w : (tensor<18x3xf32>, tensor<3x3xf32>) -> tensor<18x3xf32>
      %p = tg.reshape %all {shape = [9, 2, 3]} : (tensor<18x3xf32>) -> tensor<9x2x3xf32>
      %y = tg.scan inits(%h) inputs(%p) : (tensor<2x3xf32>, tensor<9x2x3xf32>) -> tensor<2x3xf32> {
      ^bb0(%old: tensor<2x3xf32>, %in: tensor<2x3xf32>):
        %new = tg.mul %old, %in : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        tg.yield %new : tensor<2x3xf32>
      }
      return %y : tensor<2x3xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"opsMoved", "ops-moved", "Number of ops moved out of loops">
  ];
}

def UpdateRows : Pass<"tg-update-rows", "::mlir::func::FuncOp"> {
  let summary = "Update only the rows of tables that have gradients";
  let description = [{
    The gradient of a lookup consists of rows that are added to zeros of the
    size of the table. Values that depend on it are computed from these rows
    alone, if that is possible for all of them:

    ```
    assign(w, f(w, scatter(0, i, g)))     =>    assign(w, scatter(w, i, f(0, g)))
        if f is linear and f(w, 0) = w
    assign(w, f(w, v, scatter(0, i, g)))  =>    assign(w, set(w, i, f(w[i], v[i], s)))
        if f(w, v, 0) = w; s holds, for each row, the sum of its updates
    reduce(f(scatter(0, i, g)))           =>    reduce(f(s)), each row once
        if f(0) is neutral: the norm of a gradient
    scatter(0, i, g) + scatter(0, j, h)   =>    scatter(0, concat(i, j), concat(g, h))
    x + scatter(0, i, g)                  =>    scatter(x, i, g), in all other cases
    ```

    The value of f for a gradient of 0 is found op by op. Algebraic ops
    (`LinearOpInterface`) declare their result for operands of 0, and other ops
    are evaluated on known numbers. Plain gradient descent and Adagrad therefore
    touch only the rows that were used, also with clipping by value, norm and
    global norm. Updates that change rows without a gradient still update all
    rows: weight decay, momentum, Adam and RMSProp, whose slots decay. They do
    not become the lazy variants of other systems, which omit that decay. Ops
    that need all rows by definition also stay: the step that uses and clears
    gradients accumulated in a slot over several runs (no run knows the rows of
    earlier runs), and a table that a product also reads (tied weights).

    Rows that were not used stay as they are, even if an infinite rate or a slot
    of 0 in a denominator would make them NaN. Sums of equal rows
    (`tgx.first_equal`) are added in the order of the indices, for any number of
    threads. The linear form adds one row after the other to the table. If there
    are more indices than half the rows of the table, updates that need sums
    stay as they are.

    ```mlir
    tg.variable @w {trainable} : tensor<1000x8xf32>
    func.func @train(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %rate: tensor<f32>) {
      %w = tg.read @w : tensor<1000x8xf32>
      %none = tg.constant dense<0.0> : tensor<1000x8xf32>
      %sum = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
      %step = tg.mul %sum, %rate : (tensor<1000x8xf32>, tensor<f32>) -> tensor<1000x8xf32>
      %new = tg.sub %w, %step : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
      tg.assign @w, %new : tensor<1000x8xf32>
      return
    }
    // =>
    tg.variable @w {trainable} : tensor<1000x8xf32>
    func.func @train(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %rate: tensor<f32>) {
      %w = tg.read @w : tensor<1000x8xf32>
      %step = tg.mul %g, %rate : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
      %zero = tg.constant dense<0.0> : tensor<f32>
      %none = tg.broadcast_to %zero {shape = [4, 8]} : (tensor<f32>) -> tensor<4x8xf32>
      %rows = tg.sub %none, %step : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %new = tg.scatter %w, %i, %rows : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
      tg.assign @w, %new : tensor<1000x8xf32>
      return
    }
    ```
  }];
  let dependentDialects = ["::tgx::TgxDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"valuesReplaced", "values-replaced",
              "Number of assigned and reduced values computed from rows">,
    Statistic<"sumsInPlace", "sums-in-place",
              "Number of sums to which rows are added in place">
  ];
}

def StateOrders : Pass<"tg-state-orders", "::mlir::func::FuncOp"> {
  let summary = "State the order of each sum";
  let description = [{
    Floating-point sums depend on the order of their additions. Adds the order
    as an attribute to each op that takes a sum, if it has none. Later passes
    and code generation keep the order, so that levels of optimization, fusion,
    threads and targets change no bit. Composed ops get no order. The ops that
    replace them in `tg-prepare-kernels` do.

    The order of a convolution of 3x3 windows with strides of 1 in f32, or of a
    gradient of one, says whether it is computed by Winograd's algorithm. That
    is so if it is faster (WinogradChoice), with at least 32 channels on both
    sides. The choice assumes a usual number of images, so that it does not
    depend on the size of a batch.

    ```mlir
    func.func @f(%x: tensor<4x100xf32>) -> tensor<4xf32> {
      %y = tg.reduce_sum %x {axes = [1]} : (tensor<4x100xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // =>
    func.func @f(%x: tensor<4x100xf32>) -> tensor<4xf32> {
      %y = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64]>} : (tensor<4x100xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"convAlgorithm", "conv-algorithm", "std::string", /*default=*/"\"auto\"",
           "Use of Winograd's algorithm for convolutions: where it is faster "
           "(auto), never (direct), wherever it is possible (winograd)">
  ];
  let statistics = [
    Statistic<"ordersStated", "orders-stated", "Number of orders stated">
  ];
}

def CreatePlans : Pass<"tg-create-plans", "::mlir::ModuleOp"> {
  let summary = "Make one module for each plan of targets";
  let description = [{
    Moves the program into one nested module for each kind of target, with the
    attribute `tgx.target`. The targets of a kind share the kernels, the order
    of launches and the layout of memory that the passes after this one choose;
    these passes run on the nested modules.

    ```mlir
    module @m {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
    }
    // =>
    module @m {
      module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {
        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          return %x : tensor<4xf32>
        }
      }
    }
    ```

    Cost: linear; only programs for several kinds are copied.
  }];
  let options = [
    ListOption<"kinds", "kinds", "std::string",
               "The kinds of targets; cpu alone if there are none">,
    Option<"optimization", "optimization", "unsigned", "2", "The -O level">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

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

//===----------------------------------------------------------------------===//
// schedule
//===----------------------------------------------------------------------===//

def Rematerialize : Pass<"tg-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Recompute values to stay within a memory budget";
  let description = [{
    If the planned arena of a function has more than `budget` bytes, calls of
    kernels are repeated just before the next use of their results, so that the
    results need not be kept at the peak of live bytes. The choice is greedy, by
    freed bytes per FLOPs and bytes spent. Random numbers follow from seed and
    counter, so the same kernels on the same inputs give the same results: no
    bit changes. Calls that may fail at run time are repeated without their
    checks, after the first call with the checks. Calls are not repeated if they
    write an output, stand in a branch or loop, or read the old content of a
    variable. If that is not enough, filters that the function packs are
    unpacked, starting with the largest one that is live at the peak. Their
    convolutions take longer.

    ```mlir
    // tgc-opt --tg-fuse-kernels="fuse=false" --tg-rematerialize="budget=1536"
    // expected-remark @+1 {{the arena of function 'f' has 1536 bytes instead of 2048, for 1 more launches with 128 FLOPs}}
    func.func @f(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<128xf32> {tg.name = "y"}) {
      %a = tg.exp %x : tensor<128xf32>
      %b = tg.neg %a : tensor<128xf32>
      %c = tg.tanh %b : tensor<128xf32>
      %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
      %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
      return %y : tensor<128xf32>
    }
    ```

    A remark and `tgx.recomputed` report the cost. Errors: dynamic extents; a
    budget that cannot be kept. The latter error names the smallest possible
    budget, and the scans that save values of their steps, with the number of
    `segments` that would save the fewest bytes.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"0",
           "Maximum bytes of the arena of a function; 0: no limit">,
    Option<"onlyChecks", "only-checks", "bool", /*default=*/"false",
           "If there is a budget, only report dynamic extents; change nothing">
  ];
  let statistics = [
    Statistic<"launchesRecomputed", "launches-recomputed",
              "Number of calls that run again">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def Schedule : Pass<"tg-schedule", "::mlir::ModuleOp"> {
  let summary = "Order the launches and plan the memory";
  let description = [{
    Each function becomes a `tgx.function`: a list of launches and copies over
    buffers in inputs, outputs, variables and one arena. Among the ready steps,
    a step that frees more memory than it needs goes first. Variables are
    updated in place if all readers of the old content can run before. Steps
    that can fail run before the first write to a variable, and do not write
    variables themselves: the values that they depend on are computed elsewhere
    and copied. Host ops with effects keep the order of the program. Buffers
    that are live together are stacked in the order of the best of several
    greedy plans for extents of 64. The order is valid for all extents.

    `arena_bytes` and `lower_bound_bytes` of a function are the size of the
    arena and the largest sum of live bytes at those extents.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule
    tg.variable @w : tensor<4xf32>
    func.func @f(%x: tensor<4xf32> {tg.name = "x"}) {
      %w = tg.read @w : tensor<4xf32>
      %y = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      tg.assign @w, %y : tensor<4xf32>
      return
    }
    // =>
    tg.variable @w : tensor<4xf32>
    tgx.function @f attributes {
        symbols = [], computed = affine_map<() -> ()>,
        inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>} ],
        outputs = [], role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
      %w = tgx.slab @w : tensor<4xf32>
      %x = tgx.input 0 : tensor<4xf32>
      tgx.launch @add__f(%w, %x) into(%w) : tensor<4xf32>, tensor<4xf32> into tensor<4xf32>
    }
    tgx.kernel @add__f loop(%w: tensor<4xf32>, %x: tensor<4xf32>) {
      %y = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes",
              "Bytes of all arenas at the planned extents">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def KnownAlignments : Pass<"tg-known-alignments", "::mlir::ModuleOp"> {
  let summary = "Tell kernels the alignment of their buffers";
  let description = [{
    If the target uses alignments, sets `alignments` of each kernel to those in
    bytes that all its launches have in common: that of a cache line for variables, constants,
    packed weights and buffers of the workspace, that of an element for inputs
    and outputs of functions and for elements of stacked buffers, and what
    follows from the offset for a part of a buffer. Without a buffer that is
    aligned to more than an element, the kernel has no `alignments`.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule --tg-known-alignments
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {uses_alignments = 1}>} {
      tg.variable @v : tensor<16xf32>
      func.func @f() -> (tensor<16xf32> {tg.name = "y"}) {
        %x = tg.read @v : tensor<16xf32>
        %y = tg.relu %x : tensor<16xf32>
        return %y : tensor<16xf32>
      }
    }
    // =>
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {uses_alignments = 1}>} {
      tg.variable @v : tensor<16xf32>
      tgx.function @f attributes {
          symbols = [], computed = affine_map<() -> ()>, inputs = [],
          outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
        %x = tgx.slab @v : tensor<16xf32>
        %y = tgx.output 0 : tensor<16xf32>
        tgx.launch @relu__f(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
      }
      tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {alignments = array<i64: 64, 4>} {
        %y = tg.relu %x : tensor<16xf32>
        tgx.yield %y : tensor<16xf32>
      }
    }
    ```

    Cost: linear.
  }];
}

def NonTemporalOutputs : Pass<"tg-non-temporal-outputs", "::mlir::ModuleOp"> {
  let summary = "Mark outputs for non-temporal stores";
  let description = [{
    An ordinary store to a cache line that is in no cache first reads the line
    from memory. A non-temporal store does not, but the next use must then read
    from memory. The number of bytes touched between two uses of memory follows
    from the order of launches and the plan of the arena. An output is listed in
    `non_temporal_outputs` of the kernel, with its known alignment, if at least
    as many bytes as all caches of the target hold are touched between the last
    use of its memory, by any buffer, and the write, and at least as many as the
    caches of one worker hold between the write and the next use.
    A function is assumed to be called again and again. All launches of a kernel
    for the same extents must agree; launches for other extents that differ get
    a kernel of their own. A loop touches the bytes of its body once per
    iteration. Values written inside a loop never use non-temporal stores.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule --tg-non-temporal-outputs
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {near_cache_bytes = 32, total_cache_bytes = 32}>} {
      func.func @f(%x: tensor<16xf32> {tg.name = "x"}) -> (tensor<16xf32> {tg.name = "y"}) {
        %y = tg.relu %x : tensor<16xf32>
        return %y : tensor<16xf32>
      }
    }
    // =>
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {near_cache_bytes = 32, total_cache_bytes = 32}>} {
      tgx.function @f attributes {
          symbols = [], computed = affine_map<() -> ()>,
          inputs = [{name = "x", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
        %x = tgx.input 0 : tensor<16xf32>
        %y = tgx.output 0 : tensor<16xf32>
        tgx.launch @relu__f(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
      }
      tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {non_temporal_outputs = array<i64: 4>} {
        %y = tg.relu %x : tensor<16xf32>
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"nonTemporalOutputs", "non-temporal-outputs",
              "Number of outputs of kernels with non-temporal stores">
  ];
}

//===----------------------------------------------------------------------===//
// The pipeline: phases and the order of their passes
//
// C++ code here may use `options`, the CompileOptions. The driver includes the table that LLVM's backend
// -gen-searchable-tables generates.
//===----------------------------------------------------------------------===//

/// Adds a pass to `passes`, an OpPassManager of modules, if `condition` holds.
class Step<string function, string pass, string condition> {
  string statement = "if (" # condition # ") passes." # function # "(" # pass #
                     ");";
}

/// Runs a pass of this file. `values` initializes its options.
class Run<PassBase pass, string values = "", string condition = "true">
    : Step<!if(!eq(pass.baseClass,
                   "::mlir::OperationPass<::mlir::func::FuncOp>"),
               "addNestedPass<::mlir::func::FuncOp>", "addPass"),
           "create" # !cast<string>(pass) # "(" #
               !if(!empty(values), "",
                   !cast<string>(pass) # "Options{" # values # "}") # ")",
           condition>;

/// Runs a pass of MLIR, which the C++ expression `pass` creates.
class RunMlir<string pass> : Step<"addPass", pass, "true">;

/// A phase, which is the enumerator of the same name of the enum Phase. The
/// summary says what holds after it, as `tgc --help` prints it. Phases without
/// steps do not transform the module, they make something new. The numbers
/// order the table of phases.
class PipelinePhase<bits<8> itsNumber, string itsName, string itsSummary,
                    list<Step> steps = []> {
  bits<8> number = itsNumber;
  string phase = "Phase::" # itsName;
  string name = itsName;
  string summary = itsSummary;
  string addPasses = "[](::mlir::OpPassManager &passes, "
                     "const CompileOptions &options) {" #
                     !foldl("", steps, all, step, all # step.statement) # "}";
}

// Checks rules that verifiers of single ops cannot see. Inlines calls, so that
// every function can be read from top to bottom. Removes functions and outputs
// that were not requested.
def GraphPhase
    : PipelinePhase<1, "graph", "one verified module of tg ops", [
  Run<CheckModule>,
  Run<InlineCalls>,
  Run<SelectFunctions, ".functions = options.functions, .keep = options.keep">
]>;

// Binds named extents to their sizes. Every extent becomes a number or an
// expression over extents of inputs.
def ShapesPhase
    : PipelinePhase<2, "shapes", "extents are numbers or follow from inputs", [
  Run<InferShapes, ".dims = options.dims">
]>;

// Expands requests for gradients to the ops that compute them.
def GradPhase : PipelinePhase<3, "grad", "gradients are ordinary ops", [
  Run<ExpandGradients>
]>;

// Trims dead nodes first, to avoid folding them in vain, and again after
// folding and CSE, which leave ops without users. The remaining variables get
// their values. The program is final and gets its hash.
def TrimPhase
    : PipelinePhase<4, "trim", "only what outputs and updates need", [
  Run<TrimDeadNodes, ".keepVariables = options.keepVariables">,
  Run<FoldConstants>,
  RunMlir<"::mlir::createCSEPass()">,
  Run<TrimDeadNodes, ".keepVariables = options.keepVariables">,
  Run<EmbedWeights, ".file = options.weights">,
  Run<IdentifyProgram>
]>;

// Decides what affects rounding, before the target is known. First moves state
// out of regions, turns data-dependent extents into symbols, and computes the
// products of all iterations of a loop at once, which changes sums.
def NumericsPhase
    : PipelinePhase<5, "numerics", "every sum has an order", [
  Run<LiftState>,
  Run<MeasureExtents>,
  Run<SplitScans>,
  Run<UpdateRows>,
  Run<StateOrders, ".convAlgorithm = options.convAlgorithm">,
  Run<CreatePlans, ".kinds = llvm::SmallVector<std::string>("
                   "options.kinds.begin(), options.kinds.end()), "
                   ".optimization = unsigned(options.optimization)">
]>;

// Lowers checks and decompositions to plain ops. Then moves every op into a
// kernel. Kernels write concatenated values in place.
//
// The next phase fails if there is a memory budget and extents are dynamic. If
// this phase is the last one, it makes this check.
def FusePhase
    : PipelinePhase<6, "fuse", "every computing op is in a kernel", [
  Run<TrapNan, ".nanOnly = options.trapNan == \"nan\"",
      "!options.trapNan.empty()">,
  Run<PrepareKernels>,
  Run<DivideReductions, "", "options.optimization >= 1">,
  RunMlir<"::mlir::createCSEPass()">,
  Run<JoinConcatenations, "", "options.optimization >= 1">,
  Run<FuseKernels, ".fuse = options.optimization >= 1">,
  Run<PackWeights>,
  Run<PlaceParts>,
  Run<Rematerialize, ".budget = options.memoryBudget, .onlyChecks = true",
      "options.memoryBudget && options.stopAfter == Phase::fuse">
]>;

// Rematerializes values that exceed the memory budget. Functions become
// launches over buffers.
def SchedulePhase
    : PipelinePhase<7, "schedule", "launches in order over planned memory", [
  Run<Rematerialize, ".budget = options.memoryBudget">,
  Run<Schedule>,
  Run<NonTemporalOutputs>,
  Run<KnownAlignments>
]>;

def KernelsPhase
    : PipelinePhase<8, "kernels", "kernels are loops, vectors and arithmetic">;
def ObjectPhase
    : PipelinePhase<9, "object", "machine code for one target">;
def LibraryPhase
    : PipelinePhase<10, "library", "model.so, or model.o to link statically">;

def phases : GenericTable {
  let FilterClass = "PipelinePhase";
  let CppTypeName = "PhaseInfo";
  let Fields = ["number", "phase", "name", "summary", "addPasses"];
  string TypeOf_phase = "code";
  string TypeOf_addPasses = "code";
}

#endif // TG_COMPILER_TRANSFORMS_PASSES_TD
