//===- Passes.td - the passes over tg and tgx -----------------------------===//
//
// One def per pass, in the order of the pipeline. Declaration, registration,
// options, statistics and the generated manual all come from here.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_PASSES_TD
#define TG_COMPILER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// graph
//===----------------------------------------------------------------------===//

def CheckModule : Pass<"tg-check-module", "::mlir::ModuleOp"> {
  let summary = "Check the rules of a whole module";
  let description = [{
    Reports what the verifiers of single ops cannot see: M1 to M9 of the
    language (names, roles, what `init` assigns, what `test` reaches).
    Changes nothing.

    ```mlir
    // expected-error @+1 {{argument 1: expected a tg.name [M2]}}
    func.func @f(%x: tensor<4xf32>) {
      return
    }
    ```
  }];
}

def InlineCalls : Pass<"tg-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of private functions in place of their calls";
  let description = [{
    Every `func.call` becomes a copy of the callee's body, under a call-site
    location; then the private functions are removed. The module has no
    recursion [M3], which `tg-check-module` has checked.

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

    Afterwards the module holds variables and public functions alone.
  }];
  let statistics = [
    Statistic<"callsInlined", "calls-inlined", "Number of calls replaced">,
    Statistic<"functionsRemoved", "functions-removed",
              "Number of private functions removed">
  ];
}

def SelectFunctions : Pass<"tg-select-functions", "::mlir::ModuleOp"> {
  let summary = "Leave out functions and outputs that a library shall not have";
  let description = [{
    `functions = "test,score"` removes the other functions but `init`, and
    `keep = "train:loss;test:digit"` the other outputs of these functions. What
    nobody needs any more, variables among it, is the business of
    `tg-trim-dead-nodes`. There are no calls.

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

    Draws say their streams, so `init` draws for a variable what it draws in the
    whole model.
  }];
  let options = [
    Option<"functions", "functions", "std::string", /*default=*/"",
           "Functions to keep beside init, as in test,score; all by default">,
    Option<"keep", "keep", "std::string", /*default=*/"",
           "Outputs to keep by function, as in train:loss;test:digit,score">
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
    Binds named extents to numbers (`dims`), turns dynamic sizes whose value
    is known into attributes, and infers all types again, forward.

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

    Afterwards every extent is a number or follows from extents of arguments,
    every check that compares two numbers has been made, and constant indices
    are in range. What fails here is reported, not left to the run.
  }];
  let options = [
    Option<"dims", "dims", "std::string", /*default=*/"",
           "Numbers of named extents, as in batch=32,classes=10">
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
    Reverse mode on tensors, request by request in program order, so that a
    later request may differentiate an earlier result. Only ops between the
    wanted values and the target are differentiated; each by its own rule
    (DifferentiableOpInterface), so no op is named here. Absent cotangents are
    zero and never built; those of several uses are added in reverse program
    order of the uses. A read stands for the value assigned before it, or for
    the content of the variable on entry. Of `tg.custom_gradient` the given region
    is the rule; what is left of it becomes its ops at the end.

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
    after an update). Cost: a few ops per op differentiated. In a function
    with gradients of gradients equal ops are shared after each request. A
    request that takes all to more than 2^16 ops built, or 2^21 gone over, is
    refused.
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
  let summary = "Remove what no output or update needs";
  let description = [{
    Roots are the results of functions, assigns and updates; ops that no root
    needs go, with their run-time checks. Of two assigns with no read between
    only the last stays. Variables that no function but `init` uses go too, with
    what `init` assigns to them, unless all are kept: then libraries of several
    functions have one layout of variables. Inputs stay, needed or not.

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
  let summary = "Compute what is known, bit for bit";
  let description = [{
    Ops on constants become constants through EvaluableOpInterface, where the
    result has at most `max-bytes`; an op that would fail at run time stays.
    Besides, only rewrites that keep every bit, NaN and signed zeros included:

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

    So are `x * 1`, `x - 0` and a transpose of a transpose; x + 0 stays, because
    -0 + 0 is 0.
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
  let summary = "Let init assign the values that a file holds";
  let description = [{
    `init` becomes a function without inputs that assigns to every variable the
    tensor of its name in a safetensors file, a constant. What the file has
    beside, slots of an optimizer say, is left alone. Without `file` nothing
    changes.

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

    Errors: a file that is no safetensors file, or damaged; a variable that it
    has no tensor for, or one of another type or shape.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"",
           "The safetensors file with a tensor for every variable">
  ];
  let statistics = [
    Statistic<"bytesEmbedded", "bytes-embedded",
              "Number of bytes that variables begin with">
  ];
}

def IdentifyProgram : Pass<"tg-identify-program", "::mlir::ModuleOp"> {
  let summary = "Write down which program the module is";
  let description = [{
    The attribute `tg.program` of the module becomes the SHA-256 of its text
    without locations. It stands for what the functions compute, whatever later
    phases make of them, and goes into `model_id` of the library.

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
// fuse
//===----------------------------------------------------------------------===//

def LiftState : Pass<"tg-lift-state", "::mlir::func::FuncOp"> {
  let summary = "Let variables change outside of regions alone";
  let description = [{
    ```
    tg.update groups { body }     =>    tg.read, the body on whole tensors, tg.assign
    tg.read in a region           =>    a value from outside, or one that is carried
    tg.assign in a region         =>    a carried value; tg.assign behind the op
    condition of a tg.while       =>    carried: computed before, and by each trip for the next
    ```

    What is computed stays the same. Cost: linear.

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
  let summary = "Let extents that depend on data be symbols";
  let description = [{
    ```
    tg.nonzero                    =>    counts of parts; tgx.measure of their sum, coordinates from each part's start on
    tg.ensure_shape with bounds   =>    tgx.measure of the extent, a slice
    a number that sizes are       =>    tgx.measure before its first use, tgx.size for its uses
    extents that differ between regions, or from trip to trip
                                  =>    carried: room for the most, and the number; a slice of it where it is used
    ```

    Afterwards every extent follows from what inputs and measures bind. Extents
    that were so before stay as they are. Cost: linear for each level of regions,
    and for each extent that has another one's bound. Error: more of them than a
    library has room for.

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
  let summary = "Compute products of all steps of a loop at once";
  let description = [{
    Products and sums in a `tg.scan` or `tg.while` that are the same in all steps
    go before it, with what they are made of, and out of all loops that do not
    change them: from the body of a `tg.while` into a branch under its first
    condition, from a branch that all steps decide alike under its condition.
    Loops that are the same as a whole go, too. Not what takes more memory than
    its operands, nor what may fail where that might not run.

    Of the products in the body of a `tg.scan`, those of elements of inputs go
    before it, and those that only feed what is stacked go behind it. So do sums over all steps, which a gradient carries: that of a
    weight becomes one product, its rows those of all steps. What the moved ops
    take is stacked, if it is not already. An op tells whether it can be
    computed so (`BatchableOpInterface`), or of sums of what it takes
    (`LinearOpInterface`). Sums are added in another order than
    before.

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
  let summary = "Update the rows of tables that gradients reach";
  let description = [{
    The gradient of a lookup is rows, added to zeros of the size of the table. Where
    all that follows from it can be computed of these rows alone, it is:

    ```
    assign(w, f(w, scatter(0, i, g)))     =>    assign(w, scatter(w, i, f(0, g)))
        where f is linear, and f(w, 0) = w
    assign(w, f(w, v, scatter(0, i, g)))  =>    assign(w, set(w, i, f(w[i], v[i], s)))
        where f(w, v, 0) = w, s has for each row the sum of all with its index
    reduce(f(scatter(0, i, g)))           =>    reduce(f(s)), each row once
        where f(0) is neutral: the norm of a gradient
    scatter(0, i, g) + scatter(0, j, h)   =>    scatter(0, concat(i, j), concat(g, h))
    x + scatter(0, i, g)                  =>    scatter(x, i, g), in all other cases
    ```

    What f gives without gradient is found by asking its ops: those of algebra
    (`LinearOpInterface`) say what a product of zero is, all others are evaluated on
    numbers. So plain descent and Adagrad touch the rows that were used, with
    clipping by value, norm and global norm. What changes without gradient stays an
    update of all rows: weight decay, momentum, Adam and RMSProp, whose slots decay.
    They do not become the lazy variants of other systems, which leave out that decay.
    So does what takes all rows by its definition: the step in which gradients that
    were added up in a slot over several runs are used and cleared (no run knows the
    rows of those before it), and a table that a product reads, too (tied weights).

    Rows that were not used stay as they are, also where a rate that is infinite or a
    slot of 0 below a fraction would make NaN of them. Sums of equal rows
    (`tgx.first_equal`) have the order of the indices, for any number of threads; the
    linear form adds one row after the other to the table. Where there are more
    indices than half the rows of the table, what needs sums stays as it is.

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
              "Number of assigned and reduced values computed of rows">,
    Statistic<"sumsInPlace", "sums-in-place",
              "Number of sums to which rows are added in place">
  ];
}

def PartitionDevices : Pass<"tg-partition-devices", "::mlir::ModuleOp"> {
  let summary = "Divide functions by the devices of their ops";
  let description = [{
    Makes of each function one for each stage and device, `f.<stage>.<device>`, which
    give each other values by their names. Parts of a stage need nothing of each other;
    a stage ends where something made for another device is needed there:

    ```
    op with a device                  =>    on it
    any other op                      =>    on the first device
    effect                            =>    on the first device, in order; variables last
    constant, extent, i64 scalar,     =>    in every part that needs it
    read before the first assignment
    ```

    What else a part makes waits for the next stage, so that both devices compute at
    once. A function that one device has stays as it is.

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

    An op on a device that is not among `devices` is an error, unless placement is
    `soft`: then it is on the first one. Runs where gradients are expanded, on functions
    of one block. Cost: linear, times the number of stages.
  }];
  let options = [
    Option<"devices", "devices", "std::string", "\"cpu:0,cpu:1\"",
           "The devices that there are">,
    Option<"soft", "soft", "bool", "false",
           "Put ops of other devices on the first one">
  ];
}

def TrapNan : Pass<"tg-trap-nan", "::mlir::ModuleOp"> {
  let summary = "Check what ops compute for NaN and infinity";
  let description = [{
    Puts a `tgx.check_finite` behind what can be no finite number:

    ```
    float input of a function          =>    checked before it is used
    elementwise op                     =>    its result, by element: NaN of no NaN,
                                             infinity of finite numbers
    the same whose formula gives no
    other ones (relu, maximum, tanh)   =>    nothing
    sums, products, all other ops      =>    all elements of their results
    op that only moves elements        =>    nothing
    constant, read of a variable       =>    nothing
    ```

    So a constant of -infinity, as in the mask of attention, is no mistake, nor
    what elementwise ops make of it; a sum or product of matrices over it is. Of an
    elementwise op all of whose operands are finite by earlier checks the result is
    looked at alone. What a variable holds comes from the assignments of the module,
    which are checked as ops, or from files, which are not. Gradients and updates are
    ops as others. Composed ops are checked as a whole: this runs before
    `tg-prepare-kernels`, behind all folding.

    With `nan-only` infinity is no mistake anywhere.

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

    A remark says how many checks each function got. Cost: linear, times the rounds
    until nothing more may be infinite in loops and variables.
  }];
  let options = [
    Option<"nanOnly", "nan-only", "bool", "false", "Let infinity be">
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
  let summary = "Rewrite what fusion does not want to know about";
  let description = [{
    ```
    read after assign            =>    the assigned value; one assign is left, at the end
    assign of zeros in `init`    =>    nothing: it finds zeros in every variable
    op that can fail             =>    tgx.check_index or tgx.check_divisor before it
    op with a decomposition      =>    the simpler ops
    rank-0 i64 value known from extents    =>    tgx.size
    ```

    What is computed stays the same. Cost: linear, but for the analysis of extents.

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
  let summary = "Reduce the parts of what is concatenated";
  let description = [{
    A reduction of a concatenation along an axis that stays is that of its parts,
    concatenated: kernels that make the parts take it along, and where a part
    stands in several concatenations, it is reduced once (behind `cse`).

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
    A concatenation becomes a `tgx.join`, which no kernel computes, where at
    least half of it comes from ops that can write to their part of the result:
    of static extents from the axis on, in rows of a line of the caches at
    least. One of them must be an op that a kernel is built around, or be made
    elementwise of such: the others may cost nothing in a kernel that computes
    the concatenation.

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
    Statistic<"joined", "joined", "Number of concatenations that are joins">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def FuseKernels : Pass<"tg-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Put every computing op into a kernel";
  let description = [{
    Ops that share an iteration space become one kernel: elementwise chains,
    what surrounds reductions over the same axes, the elementwise ops after a
    contraction, what they reduce over its rows or windows (the gradient of a
    bias, the statistics of a batch), and
    cheap ops that compute its lhs of what lies in memory. Producers that serve one consumer are sunk into it first; then
    contractions and reductions absorb their consumers. Splat constants, numbers
    and iotas are computed again in each kernel. Kernels that are equal, but for
    numbers that calls can pass (random streams, starts of slices, scalar
    constants; of loops over one space its extents, too), exist once.

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

    The strategy of a kernel says what it takes in, and how many bytes that
    saves. What cheap ops make of values in memory is then computed again by all
    kernels that use it, where that saves bytes, and by those that read these
    values anyway. Where most bytes are live, the
    smallest cut through the graph of values is kept; of it, kernels behind
    compute again what else they use and would have to be kept, if they read and
    write no more bytes in all. Not done: fusion over a view, several
    contractions in one kernel. Greedy but for the cuts; near-linear in time, but
    for graphs in which long detours lead around many merges.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true", "Merge ops; else one op per kernel">,
    Option<"tilesProducts", "tiles-products", "bool", "false",
           "Whether the target computes products of matrices in tiles: they then "
           "take in what their rows reduce to, and what computes their lhs">,
    Option<"maximumOps", "max-ops", "unsigned", "64", "Ops in one kernel">,
    Option<"repeat", "repeat", "bool", "true",
           "Compute cheap ops again where that saves memory; no bit of a result "
           "depends on it">
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of distinct kernels">,
    Statistic<"merges", "merges", "Number of merges of ops into one kernel">,
    Statistic<"repetitions", "repetitions",
              "Number of values that kernels compute instead of reading them, or "
              "compute again behind where most is live">,
    Statistic<"savedBytes", "saved-bytes",
              "Bytes that merged kernels do not read back, as planned">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def PackWeights : Pass<"tg-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Let contractions read weights that were packed before";
  let description = [{
    In a function without assigns, a variable that is the rhs of a contraction,
    or of which the rhs is a view (a filter of 1x1 as a matrix), is packed by a
    kernel of its own, which the library runs once per change of the weights and
    not in the function. How wide its panels are is the target's
    choice.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-pack-weights="panel-bytes=256"
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
      %p = tgx.pack %w as <axis = 1, width = 64> : (tensor<4x64xf32>) -> tensor<1x4x64xf32>
    }
    tgx.kernel @matmul__f_packed contraction(%x: tensor<8x4xf32>, %p: tensor<1x4x64xf32>) attributes {algorithm = "panels"} {
      %w = tgx.unpack %p as <axis = 1, width = 64> : (tensor<1x4x64xf32>) -> tensor<4x64xf32>
      %y = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
    }
    ```

    Filters of convolutions, and of the gradients of their inputs, are packed for
    Winograd's algorithm where that takes less time (WinogradChoice): 3x3 in
    steps of one, f32, 32 channels and more on both sides. Functions that assign,
    and filters that are no variables, do so whenever they run, before each form
    of the filter is read first; or, for few tiles, kernels transform the filter
    themselves. So they do both operands of such filters' gradients.

    Of the gradient of an input by direct convolution, the columns of the filter
    are no neighbours: each tile of the kernel would transpose them. Functions
    that assign pack these, too, where there are 16 columns and many rows.

    A rectangle of a variable (the rows of a recurrent kernel that meet the
    state) is packed from where it lies: nothing else copies it. What a loop
    multiplies by in each trip and does not make itself is packed once, before
    the outermost such loop, by functions that assign, too.

    Not done: panels of other weights of functions that train; contractions copy
    these as fast as a kernel of its own would. Boxes of tensors of another rank
    than 2 are copied before they are packed.
  }];
  let options = [
    Option<"panelBytes", "panel-bytes", "int64_t", /*default=*/"0",
           "Bytes of a row of a panel; 0 where the target reads plain matrices">,
    Option<"convAlgorithm", "conv-algorithm", "std::string", /*default=*/"\"auto\"",
           "Convolutions by Winograd's algorithm: where it takes less time "
           "(auto), never (direct), wherever it can be done (winograd)">
  ];
  let statistics = [
    Statistic<"packedContractions", "packed-contractions",
              "Number of contractions that read packed weights">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def PlaceParts : Pass<"tg-place-parts", "::mlir::ModuleOp"> {
  let summary = "Let kernels know which values are parts of others";
  let description = [{
    The operands of a `tgx.join` lie in the memory of its result, and joins of
    joins in one buffer. Kernels that make or read them are told where their
    rows lie, one for each way. A kernel copies what cannot lie there: inputs,
    variables, values that are returned, assigned or viewed, or joined twice,
    and such as a kernel makes or reads that knows no rows.

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
    tgx.kernel @matmul_relu__f contraction(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) attributes {output_rows = [#tgx.rows<axis = 1, pitch = 32>, #tgx.rows<axis = 1, pitch = 32>]} {
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

def FitMemory : Pass<"tg-fit-memory", "::mlir::ModuleOp"> {
  let summary = "Compute again what a budget of memory has no room for";
  let description = [{
    While the planned arena of a function has more than `budget` bytes, calls of
    kernels are repeated just before their results are needed again, so that
    these are not kept where most bytes are live. The choice is greedy, by bytes
    freed over FLOPs and bytes spent. The same kernels compute the same of the
    same, so no bit of a result changes: random numbers follow from seed and
    counter. What may fail at run time is repeated without its checks, behind
    which it stands. Calls that make an output are not repeated, nor those that
    stand in a branch or loop or read what a variable no longer holds. Where that
    is not enough, filters that the function packs are no longer, the largest first of
    those that are live where most bytes are: these convolutions sum products as
    they stand, which changes bits where it was Winograd's algorithm.

    ```mlir
    // tgc-opt --tg-fuse-kernels="fuse=false" --tg-fit-memory="budget=1536"
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

    A remark and `tgx.recomputed` say what it cost. Errors: a budget that cannot
    be kept, with the least that can, and the scans that keep what their steps
    gave, with the `segments` that would keep least; extents that are no numbers.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"0",
           "The most bytes of the arena of a function; 0 for no limit">,
    Option<"onlyChecks", "only-checks", "bool", /*default=*/"false",
           "Refuse unknown extents under a limit, and change nothing">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"::tgx::kAlignment",
           "What the bytes of a buffer are a multiple of, the target's choice">
  ];
  let statistics = [
    Statistic<"launchesRepeated", "launches-repeated",
              "Number of calls that run again">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def Schedule : Pass<"tg-schedule", "::mlir::ModuleOp"> {
  let summary = "Order the launches and plan the memory";
  let description = [{
    Each function becomes a `tgx.function`: a list of launches and copies over
    buffers in inputs, outputs, variables and one arena. Of those that can run,
    one that frees more memory than it needs comes first. Variables are updated in
    place where everything that reads the old content can run before. What can end
    a run comes before the first write to a variable, and writes none itself:
    what it needs is computed elsewhere and copied. Effects on the host keep the
    order of the program. Buffers
    that are live together are stacked in the order that the best of four greedy
    plans found for extents of 64; the order holds for all extents.

    `arena_bytes` and `lower_bound_bytes` of a function are the arena and the
    largest sum of live bytes at those extents.

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
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"::tgx::kAlignment",
           "What the bytes of a buffer are a multiple of, the target's choice">
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of all arenas as planned">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def StreamOutputs : Pass<"tg-stream-outputs", "::mlir::ModuleOp"> {
  let summary = "Find outputs that no cache keeps until they are read";
  let description = [{
    A plain store of a line that no cache has reads it from memory first; one past
    the caches does not, but the next use must come from memory. Between two uses
    of memory other bytes are touched, whose number follows from the order of
    launches and the plan of the arena. Where `far-bytes` of them lie before a
    write, whatever was in that memory, and `near-bytes` between the write and the
    next use, `streamed_outputs` of the kernel says so, with the alignment that is
    known. Calls of a function are taken to follow each other. Launches of one
    kernel for the same extents must agree; where those for others find something
    else, they get a kernel of their own. A loop touches what its body does, as often as it has
    trips; what a trip writes is never far.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule --tg-stream-outputs="near-bytes=32 far-bytes=32"
    func.func @f(%x: tensor<16xf32> {tg.name = "x"}) -> (tensor<16xf32> {tg.name = "y"}) {
      %y = tg.relu %x : tensor<16xf32>
      return %y : tensor<16xf32>
    }
    // =>
    tgx.function @f attributes {
        symbols = [], computed = affine_map<() -> ()>,
        inputs = [{name = "x", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
        outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
        role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
      %x = tgx.input 0 : tensor<16xf32>
      %y = tgx.output 0 : tensor<16xf32>
      tgx.launch @relu__f(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
    }
    tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {streamed_outputs = array<i64: 4>} {
      %y = tg.relu %x : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"leastBytes", "least-bytes", "int64_t", /*default=*/"0",
           "Bytes of an output at least">,
    Option<"nearBytes", "near-bytes", "int64_t", /*default=*/"0",
           "Bytes that the caches next to a worker keep; 0 to stream nothing">,
    Option<"farBytes", "far-bytes", "int64_t", /*default=*/"0",
           "Bytes that all caches keep">
  ];
  let statistics = [
    Statistic<"streamedOutputs", "streamed-outputs",
              "Number of outputs of kernels that are stored past the caches">
  ];
}

#endif // TG_COMPILER_TRANSFORMS_PASSES_TD
