//===- ControlOps.td - branches, loops and the ends of regions ------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_CONTROLOPS_TD
#define TG_DIALECTS_TG_CONTROLOPS_TD

include "dialects/tg/TgBase.td"

/// Ops whose regions, of one block each, see values from outside and end in
/// tg.yield.
class Tg_ControlOp<string mnemonic, list<string> methods = [],
                   list<Trait> traits = []>
    : Tg_Op<mnemonic, [
        RecursiveMemoryEffects,
        DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>,
        DeclareOpInterfaceMethods<Tg_RegionOpInterface, methods>
      ] # traits> {
  let results = (outs Variadic<Tg_Tensor>:$results);
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

def Tg_IfOp : Tg_ControlOp<"if", [], [
    NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<Tg_DifferentiableRegionOpInterface>]> {
  let summary = "Runs one of two regions, depending on a condition";
  let description = [{
    Runs `then_region` if the condition is true, else `else_region`. The results
    are the values that the region yields. Nothing of the other region is
    computed.

    ```mlir
    %a = tg.constant dense<1.0> : tensor<f32>
    %b = tg.constant dense<2.0> : tensor<f32>
    %y = tg.if %p : (tensor<i1>) -> tensor<f32> {
      %s = tg.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %s : tensor<f32>
    } else {
      %m = tg.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %m : tensor<f32>
    }
    ```

    * C1 (ODS): the condition is i1 of rank 0. C2: both regions yield the types
      of the results.
    * Gradient: an `if` on the same condition that returns the cotangents of
      values from outside. The values of a branch that the gradient needs become
      results of the forward `if`; they are zeros if the other branch runs.
  }];
  let arguments = (ins Tg_BoolScalar:$condition);
  let regions = (region SizedRegion<1>:$then_region,
                        SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition attr-dict `:` functional-type(operands, results)
    custom<Branch>($then_region) `else` custom<Branch>($else_region)
  }];
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

def Tg_WhileOp : Tg_ControlOp<"while", ["refineArguments"], [
    SingleBlock,
    DeclareOpInterfaceMethods<Tg_DifferentiableRegionOpInterface>]> {
  let summary = "Loop that runs while a condition holds";
  let description = [{
    While `condition` of the carried values yields true, `body` replaces them.
    The results are the last carried values, which are the inits if the
    condition is false at once. Extents that differ between iterations must have
    a bound. An extent does not differ if the body checks that it is equal in
    the old and the new value, for example because it adds them.

    ```mlir
    %n = tg.constant dense<10> : tensor<i32>
    %one = tg.constant dense<1> : tensor<i32>
    %last, %x = tg.while inits(%i0, %x0) {max_trip = 100} : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) cond {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
      %more = tg.compare lt, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
      %j = tg.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %u = tg.tanh %v : tensor<4xf32>
      tg.yield %j, %u : tensor<i32>, tensor<4xf32>
    }
    ```

    * C1: region arguments, results and what `body` yields have the types of the
      inits. C2: `condition` yields one i1 of rank 0. C3: max_trip >= 1.
    * R1: the condition is false after `max_trip` iterations.
    * Gradient (only with max_trip): the forward `while` counts its iterations
      and saves the values that the gradient of an iteration needs in tensors
      [max_trip, ...]. A `while` from the last iteration to the first returns
      the cotangents of the inits and adds up the cotangents of values from
      outside.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$inits,
                       OptionalAttr<I64Attr>:$max_trip);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`inits` `(` $inits^ `)`)? attr-dict `:`
    functional-type(operands, results) `cond` custom<Body>($condition)
    `do` custom<Body>($body)
  }];
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

def Tg_ScanOp : Tg_ControlOp<"scan", ["refineArguments"], [
    SingleBlock, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Tg_DifferentiableRegionOpInterface,
                              ["splitForGradient"]>]> {
  let summary = "A loop over the elements of tensors along axis 0";
  let description = [{
    For t = 0 ... T-1 (`reverse`: T-1 ... 0) the body takes the carried values
    and element t of each input, and yields the new carried values, then one
    element for each stacked result. The results are the last carried values,
    then the stacked results with leading extent T. T is the leading extent of
    the inputs, or `length`. The element of step t is stacked at position t, in
    either direction.

    ```mlir
    %sum, %sums = tg.scan inits(%s0) inputs(%xs) : (tensor<5xf32>, tensor<?x5xf32>) -> (tensor<5xf32>, tensor<?x5xf32>) {
    ^bb0(%acc: tensor<5xf32>, %item: tensor<5xf32>):
      %next = tg.add %acc, %item : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      tg.yield %next, %next : tensor<5xf32>, tensor<5xf32>
    }
    ```

    * C1: region arguments have the types of the inits, then of the inputs
      without axis 0. C2: the body yields the types of the inits, then the types
      of the stacked results without their leading extent T. T is static if an
      input or `length` determines it. C3: inputs have a rank of at least 1 and
      leading extents that are equal where static. C4: `length`, of at least 0, is present
      if and only if there are no inputs. C5: segments >= 0.
    * R1: leading extents are equal; a yielded carry has the extents of its init.
    * Gradient: a scan in opposite order. It carries the cotangents of the
      carried values, adds up the cotangents of values from outside and stacks
      the cotangents of the inputs' elements. The forward scan stacks the values
      that the gradient needs. With `segments` = s > 0 it stacks only the
      carried values at the starts of s equal parts, and each part is
      recomputed. The last T mod s steps follow in a scan of their own, unless a
      static T is a multiple of one of the numbers s to 2 s, which is then used
      instead of s.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$inits, Variadic<Tg_Tensor>:$inputs,
                       OptionalAttr<I64Attr>:$length, UnitAttr:$reverse,
                       DefaultValuedAttr<I64Attr, "0">:$segments);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`inits` `(` $inits^ `)`)? (`inputs` `(` $inputs^ `)`)? attr-dict `:`
    functional-type(operands, results) custom<Body>($body)
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Returns the leading extent of inputs and stacked results, kDynamic if it
    /// is dynamic.
    int64_t getStaticLength();
    /// Returns true if the gradient recomputes each step from the carried
    /// values at the start of the step: there are no more steps than segments.
    bool recomputesSteps();
    /// Return the carried values at the start of a step, and the elements of
    /// inputs.
    ::mlir::Block::BlockArgListType getCarries() {
      return getBlock().getArguments().take_front(getInits().size());
    }
    ::mlir::Block::BlockArgListType getElements() {
      return getBlock().getArguments().drop_front(getInits().size());
    }
    /// Return the last carried values, and the stacked results.
    ::mlir::ResultRange getLast() {
      return getResults().take_front(getInits().size());
    }
    ::mlir::ResultRange getStacked() {
      return getResults().drop_front(getInits().size());
    }
  }];
}

//===----------------------------------------------------------------------===//
// yield
//===----------------------------------------------------------------------===//

def Tg_YieldOp : Tg_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["UpdateOp", "CustomGradientOp", "IfOp", "WhileOp", "ScanOp"]>,
    Tg_NonDifferentiable]> {
  let summary = "Ends a region of a tg op and returns its values";
  let description = [{
    ```mlir
    tg.update [[@w]] : () -> () {
    ^bb0(%weight: tensor<f32>):
      %moved = tg.neg %weight : tensor<f32>
      tg.yield %moved : tensor<f32>
    }
    ```

    * C1 (ODS): the op ends a region of `tg.update`, `tg.custom_gradient`,
      `tg.if`, `tg.while` or `tg.scan`.
    * Not differentiable.
  }];
  let arguments = (ins Variadic<Tg_Tensor>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // TG_DIALECTS_TG_CONTROLOPS_TD
