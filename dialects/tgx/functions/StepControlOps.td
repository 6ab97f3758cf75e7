//===- StepControlOps.td - loops and branches of functions ----------------===//
#ifndef TG_DIALECTS_TGX_CONTROLOPS_TD
#define TG_DIALECTS_TGX_CONTROLOPS_TD

include "dialects/tgx/functions/BufferOps.td"

/// Steps with blocks of steps. The blocks have no arguments and hold steps,
/// checks, and buffers that depend on the iteration.
class Tgx_ControlOp<string mnemonic, list<Trait> traits = []>
    : Tgx_StepOp<mnemonic, [SingleBlock, NoTerminator] # traits> {
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// for, while, if
//===----------------------------------------------------------------------===//

def Tgx_ForOp : Tgx_ControlOp<"for"> {
  let summary = "Runs steps a number of times";
  let description = [{
    Iterations are numbered from 0; with `reverse` the last one runs first.
    `tgx.element` selects an element by the index of the iteration.

    ```
    tgx.for [s0] -> (s0) {
      %x = tgx.element %xs : tensor<?x4xf32> -> tensor<4xf32>
      tgx.launch @add(%sum, %x) into (%sum) [s0] -> () : tensor<4xf32>, tensor<4xf32> into tensor<4xf32>
    }
    ```

    * C1: `count` is one number.
    * C5: the body holds steps, entry checks and buffers that depend on the
      iteration.
  }];
  let arguments = (ins AffineMapAttr:$count, UnitAttr:$reverse);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `` custom<SymbolMap>($count) (`reverse` $reverse^)? attr-dict-with-keyword
    $body
  }];
  let hasVerifier = 1;
}

def Tgx_WhileOp : Tgx_ControlOp<"while"> {
  let summary = "Runs steps while a flag in memory holds";
  let description = [{
    The flag is read before each iteration. After `max_trip` iterations it must
    be false.

    ```
    tgx.while %flag {max_trip = 10 : i64} : tensor<i1> {
      tgx.launch @count(%i) into (%i, %flag) [] -> () : tensor<i32> into tensor<i32>, tensor<i1>
    }
    ```

    * C1: the flag is an i1 of rank 0. C4: it was written before.
    * C5: as for `tgx.for`.
  }];
  let arguments = (ins AnyRankedTensor:$flag, OptionalAttr<I64Attr>:$max_trip);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$flag attr-dict `:` type($flag) $body";
  let hasVerifier = 1;
}

def Tgx_IfOp : Tgx_ControlOp<"if"> {
  let summary = "Runs one of two lists of steps, depending on a flag in memory";
  let description = [{
    * C1: the flag is an i1 of rank 0. C4: it was written before.
    * C5: as for `tgx.for`.
  }];
  let arguments = (ins AnyRankedTensor:$flag);
  let regions = (region SizedRegion<1>:$then_region,
                        SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $flag attr-dict `:` type($flag) $then_region `else` $else_region
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// element, swap
//===----------------------------------------------------------------------===//

def Tgx_ElementOp : Tgx_BufferOp<"element"> {
  let summary = "Element of a buffer along axis 0 at the current iteration";
  let description = [{
    * C1: the op stands in a `tgx.for`; the source is an earlier buffer of one
      more dimension and the same element type; the other extents are equal
      where both are static. C2: the extent of the source along axis 0 is the
      number of iterations of the loop, and each element has `bytes` bytes.
  }];
  let arguments = (ins AnyRankedTensor:$source, AffineMapAttr:$bytes);
  let assemblyFormat = [{
    $source `` custom<SymbolMap>($bytes) attr-dict `:` type($source) `->`
    type($buffer)
  }];
  let hasVerifier = 1;
}

def Tgx_SwapOp : Tgx_StepOp<"swap", [SameTypeOperands]> {
  let summary = "Swaps the contents of two buffers";
  let description = [{
    Nothing is copied: from then on each buffer has the memory of the other.
    Both memories stay live while either buffer is needed.

    * C1 (ODS): the types are equal. C2: the sizes are equal. C4, C5: both are
      whole workspaces that were written.
  }];
  let arguments = (ins AnyRankedTensor:$first, AnyRankedTensor:$second);
  let assemblyFormat = "$first `,` $second attr-dict `:` type($first)";
}

#endif // TG_DIALECTS_TGX_CONTROLOPS_TD
