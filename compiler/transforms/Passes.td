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
    specification (names, roles, what `init` assigns, what `test` reaches).
    Changes nothing.
  }];
}

def InlineCalls : Pass<"tg-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of private functions in place of their calls";
  let description = [{
    Every `func.call` becomes a copy of the callee's body, under a call-site
    location; then the private functions are removed. The module has no
    recursion [M3], which `tg-check-module` has checked.

    ```
    %y = func.call @layer(%x)    =>    the ops of @layer with %x for its argument
    ```

    Afterwards the module holds variables and public functions alone.
  }];
  let statistics = [
    Statistic<"callsInlined", "calls-inlined", "Number of calls replaced">,
    Statistic<"functionsRemoved", "functions-removed",
              "Number of private functions removed">
  ];
}

#endif // TG_COMPILER_TRANSFORMS_PASSES_TD
