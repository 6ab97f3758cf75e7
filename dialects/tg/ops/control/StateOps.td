//===- StateOps.td - variables, and the ops that access them --------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_STATEOPS_TD
#define TG_DIALECTS_TG_STATEOPS_TD

include "dialects/tg/TgBase.td"
include "mlir/IR/SymbolInterfaces.td"

/// The content of all variables, for the order of effects.
def Tg_VariableState : Resource<"::tg::VariableState">;

def Tg_VariableUser : DeclareOpInterfaceMethods<SymbolUserOpInterface>;

/// The role of a variable, one of four words.
def Tg_VariableRoleAttr : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"parameter\", \"statistic\", \"step\", "
          "\"random\"}, ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "one of parameter, statistic, step, random">]>;

/// Lists of symbols that are updated together.
def Tg_GroupsAttr
    : TypedArrayAttrBase<FlatSymbolRefArrayAttr, "list of lists of symbols">;

//===----------------------------------------------------------------------===//
// variable
//===----------------------------------------------------------------------===//

def Tg_VariableOp : Tg_Op<"variable", [
    Symbol, HasParent<"::mlir::ModuleOp">, Tg_VariableUser,
    Tg_NonDifferentiable]> {
  let summary = "Named state of one fixed shape";
  let description = [{
    Weights, optimizer slots, moving averages, step and seed are variables. The
    `init` function assigns them. `slot_of` ties a slot to its weight. `role`
    tells callers the purpose of a variable: a "parameter" (a weight, trained or
    frozen; `trainable` alone implies it), a "statistic" (a moving average), a
    "step" counter, or "random" (the seed of random ops).

    ```mlir
    tg.variable @w {trainable} : tensor<784x10xf32>
    tg.variable @w_m {slot_of = @w} : tensor<784x10xf32>
    ```

    * C1: at the top level of the module (ODS), of static type. C2: trainable
      variables have a float element type. C3: slot_of names a trainable
      variable.
    * Not differentiable.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<Tg_Tensor>:$type, UnitAttr:$trainable,
                       OptionalAttr<FlatSymbolRefAttr>:$slot_of,
                       OptionalAttr<Tg_VariableRoleAttr>:$role);
  let assemblyFormat = "$sym_name attr-dict `:` $type";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// read
//===----------------------------------------------------------------------===//

def Tg_ReadOp : Tg_Op<"read", [
    MemoryEffects<[MemRead<Tg_VariableState>]>, Tg_VariableUser,
    Tg_Differentiable]> {
  let summary = "The content of a variable";
  let description = [{
    The result is the last value assigned earlier in this run, else the value on
    entry.

    ```mlir
    %w = tg.read @w : tensor<784x10xf32>
    ```

    * C1: the symbol names a variable. C2: the result has the variable's type.
    * Gradient: g is added to the cotangent of the variable.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Tg_Tensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// assign
//===----------------------------------------------------------------------===//

def Tg_AssignOp : Tg_Op<"assign", [
    MemoryEffects<[MemWrite<Tg_VariableState>]>, Tg_VariableUser,
    Tg_NonDifferentiable]> {
  let summary = "Sets a variable as a whole";
  let description = [{
    ```mlir
    tg.assign @w, %new : tensor<784x10xf32>
    ```

    * C1: the symbol names a variable. C2: the value has the variable's type.
    * Not differentiable.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Tg_Tensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// update
//===----------------------------------------------------------------------===//

def Tg_UpdateOp : Tg_Op<"update", [
    MemoryEffects<[MemRead<Tg_VariableState>, MemWrite<Tg_VariableState>]>,
    SingleBlock, Tg_VariableUser, Tg_NonDifferentiable]> {
  let summary = "Elementwise update of groups of variables";
  let description = [{
    At every element of every group the body gets the elements of the group's
    variables and of its input as rank-0 tensors. It yields the new elements of
    the variables. The op is one pass over all variables. It is equivalent to
    reads, the body's ops on whole tensors, and assigns.

    ```mlir
    tg.update [[@w, @w_m]] inputs(%g) : (tensor<784x10xf32>) -> () {
    ^bb0(%weight: tensor<f32>, %slot: tensor<f32>, %grad: tensor<f32>):
      %m = tg.add %slot, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %moved = tg.sub %weight, %m : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %moved, %m : tensor<f32>, tensor<f32>
    }
    ```

    * C1: all groups have the same length, at least 1, and every symbol names a
      variable that occurs once. C2: in a group all variables and the input have
      the same shape; all groups have the same list of element types. C3: there
      is no input, or one per group. C4: region arguments have rank 0 and these
      element types; the body yields rank-0 values of the element types of the
      variables. C5: the body holds only elementwise ops and constants, and from
      outside uses only rank-0 values.
    * Not differentiable.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$inputs, Tg_GroupsAttr:$groups);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $groups (`inputs` `(` $inputs^ `)`)? attr-dict `:`
    functional-type(operands, results) custom<Body>($body)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the variables of each group.
    ::llvm::SmallVector<::llvm::SmallVector<::mlir::FlatSymbolRefAttr>>
    getGroupSymbols();
  }];
}

#endif // TG_DIALECTS_TG_STATEOPS_TD
