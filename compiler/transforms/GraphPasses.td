//===- GraphPasses.td - the passes of phases graph to trim ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_GRAPHPASSES_TD
#define TG_COMPILER_TRANSFORMS_GRAPHPASSES_TD

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

#endif // TG_COMPILER_TRANSFORMS_GRAPHPASSES_TD
