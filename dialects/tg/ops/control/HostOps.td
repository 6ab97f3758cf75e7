//===- HostOps.td - host calls, asserts and prints ------------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_HOSTOPS_TD
#define TG_DIALECTS_TG_HOSTOPS_TD

include "dialects/tg/TgBase.td"

/// The requests of a run to its caller, between two kernels.
def Tg_HostAction : I32EnumAttr<"HostAction", "action of the caller", [
  I32EnumAttrCase<"call", 0>, I32EnumAttrCase<"print", 1>,
  I32EnumAttrCase<"check", 2, "assert">
]> {
  let cppNamespace = "::tg";
  let genSpecializedAttr = 0;
}

/// The resource that keeps the effects that the caller observes in order.
def Tg_HostState : Resource<"::tg::HostState">;

/// An op without results that has an effect which the caller observes.
class Tg_HostOp<string mnemonic, list<string> methods = []>
    : Tg_Op<mnemonic, [
        MemoryEffects<[MemWrite<Tg_HostState>]>,
        DeclareOpInterfaceMethods<Tg_HostOpInterface, methods>,
        Tg_NonDifferentiable]>;

//===----------------------------------------------------------------------===//
// host_call
//===----------------------------------------------------------------------===//

def Tg_HostCallOp : Tg_Op<"host_call", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>,
    DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                              ["getSizeAttributes", "setSize"]>,
    DeclareOpInterfaceMethods<Tg_HostOpInterface, ["getHostInputs"]>,
    Tg_NonDifferentiable]> {
  let summary = "Calls a function of the host";
  let description = [{
    The caller registers host functions under names. A host function gets the
    inputs as dense row-major arrays and fills the results. `dynamic` gives the
    dynamic extents of the results, in order. Without `pure` the call is an
    effect: it happens once, in program order. With `pure` equal calls may be
    merged, and calls without uses are removed. Results are 0 where the function
    writes nothing.

    ```mlir
    %y = tg.host_call "my_relu"(%x) sizes(%n) {pure} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
    ```

    * C1: the name is valid for an input [M1]. C2: there is one `dynamic`
      operand for each dynamic extent of the results.
    * R0: sizes are not negative. R1: the name is registered, and the function
      returns success and writes only its results.
    * Not differentiable; `custom_gradient` around it gives it a gradient.
  }];
  let arguments = (ins StrAttr:$callee, Variadic<Tg_Tensor>:$inputs,
                       Variadic<Tg_Int64Scalar>:$dynamic, UnitAttr:$pure);
  let results = (outs Variadic<Tg_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`sizes` `(` $dynamic^ `)`)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// assert
//===----------------------------------------------------------------------===//

def Tg_AssertOp : Tg_HostOp<"assert"> {
  let summary = "Ends a run if a condition is false";
  let description = [{
    If the condition is false, later effects of the run do not happen, and no
    variable changes.

    ```mlir
    tg.assert %ok, "weights are finite" : tensor<i1>
    ```

    * C1 (ODS): the condition is i1 of rank 0.
    * R1: the condition is true; else the status has the message.
    * Not differentiable.
  }];
  let arguments = (ins 0DTensorOf<[I1]>:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

def Tg_PrintOp : Tg_HostOp<"print", ["canFail"]> {
  let summary = "Passes a value to the print handler of the caller";
  let description = [{
    The op writes nothing itself. If the caller has no print handler, the op
    has no effect.

    ```mlir
    tg.print "loss", %loss : tensor<f32>
    ```

    * (ODS): the operand is a tensor of any element type.
    * Not differentiable.
  }];
  let arguments = (ins StrAttr:$label, Tg_Tensor:$input);
  let assemblyFormat = "$label `,` $input attr-dict `:` type($input)";
}

#endif // TG_DIALECTS_TG_HOSTOPS_TD
