//===- TgxBase.td - the dialect and its base classes ----------------------===//
#ifndef TG_DIALECTS_TGX_TGXBASE_TD
#define TG_DIALECTS_TGX_TGXBASE_TD

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
  let summary = "Scheduled programs: kernels, launches and buffers in memory";
  let description = [{
    The output of the phases `fuse` and `schedule`, and the input of the code
    generators.

    After `fuse` every computing op stands in a `tgx.kernel`, and functions
    `tgx.call` kernels on tensor values. After `schedule` functions are
    `tgx.function`: a list of buffers in memory and of launches that read and
    write them.

    Extents are affine maps `()[s0, …] -> (…)` over symbols. The symbols of
    a function are the extents that its inputs bind. The symbols of a kernel are
    the numbers that a call passes as `extents`. The maps have no dimensions,
    and constant divisors are above 0.

    Verifiers accept only functions that are safe to run for all inputs:
    launches get memory of the size that their kernels touch, and buffers that
    are live together do not overlap. G1 and G5 of the tg dialect also hold
    here.

    After `fuse`, with checks, a size and a constant fill:

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
      %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
    }
    tgx.kernel @matmul contraction[s0](%x: tensor<?x4xf32> [s0, 4], %p: tensor<1x4x64xf32>) {
      %w = tgx.unpack %p as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
      %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x40xf32>) -> tensor<?x40xf32>
    }
    ```

    A function with host actions: it calls a host function, prints, and ends the
    run if a condition is false:

    ```mlir
    tgx.function @h attributes {
        role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
        inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
                  {name = "ok", type = tensor<i1>, extents = affine_map<()[s0] -> ()>} ],
        outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>} ]} {
      %x = tgx.input 0 : tensor<?x4xf32>
      %ok = tgx.input 1 : tensor<i1>
      %y = tgx.output 0 : tensor<?x4xf32>
      tgx.host "call" "my_relu"(%x) into (%y) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
      tgx.host "print" "y"(%y) into () [s0] -> (s0, 4) : tensor<?x4xf32> into ()
      tgx.host "assert" "it holds"(%ok) into () [s0] -> () : tensor<i1> into ()
    }
    ```

    A loop that reads and writes elements and swaps the old and the new value, a
    loop that continues while a flag is true, and a branch:

    ```mlir
    tgx.function @loops attributes {
        role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
        inputs = [{name = "x", type = tensor<1x4xf32>, extents = affine_map<()[s0] -> (1, 4)>},
                  {name = "w", type = tensor<?x4x4xf32>, extents = affine_map<()[s0] -> (s0, 4, 4)>},
                  {name = "i", type = tensor<i32>, extents = affine_map<()[s0] -> ()>} ],
        outputs = [{name = "y", type = tensor<?x1x4xf32>, extents = affine_map<()[s0] -> (s0, 1, 4)>},
                   {name = "j", type = tensor<i32>, extents = affine_map<()[s0] -> ()>} ]} {
      %old = tgx.workspace 0 [s0] -> (16) above [] : tensor<1x4xf32>
      %new = tgx.workspace 1 [s0] -> (16) above [0] : tensor<1x4xf32>
      %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
      %x = tgx.input 0 : tensor<1x4xf32>
      %w = tgx.input 1 : tensor<?x4x4xf32>
      %i = tgx.input 2 : tensor<i32>
      %y = tgx.output 0 : tensor<?x1x4xf32>
      %j = tgx.output 1 : tensor<i32>
      tgx.copy %x to %old [s0] -> (16) : tensor<1x4xf32> to tensor<1x4xf32>
      tgx.for [s0] -> (s0) {
        %in = tgx.element %w [s0] -> (64) : tensor<?x4x4xf32> -> tensor<4x4xf32>
        %out = tgx.element %y [s0] -> (16) : tensor<?x1x4xf32> -> tensor<1x4xf32>
        tgx.launch @step(%old, %in) into (%new) [s0] -> () : tensor<1x4xf32>, tensor<4x4xf32> into tensor<1x4xf32>
        tgx.copy %new to %out [s0] -> (16) : tensor<1x4xf32> to tensor<1x4xf32>
        tgx.swap %old, %new : tensor<1x4xf32>
      }
      tgx.launch @double(%i) into (%j, %flag) [s0] -> () : tensor<i32> into tensor<i32>, tensor<i1>
      tgx.while %flag {max_trip = 5} : tensor<i1> {
        tgx.launch @double(%j) into (%j, %flag) [s0] -> () : tensor<i32> into tensor<i32>, tensor<i1>
      }
      tgx.if %flag : tensor<i1> {
        tgx.copy %i to %j [s0] -> (4) : tensor<i32> to tensor<i32>
      } else {
      }
    }
    tgx.kernel @step contraction(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>) {
      %y = tg.matmul %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    }
    tgx.kernel @double loop(%i: tensor<i32>) with(%ten = dense<10> : tensor<i32>) {
      %j = tg.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %p = tg.compare lt, %j, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tgx.yield %j, %p : tensor<i32>, tensor<i1>
    }
    ```

    Values that are computed side by side, after `place-parts`:

    ```mlir
    func.func @g(%x: tensor<?x4xf32>, %w: tensor<4x16xf32>) -> tensor<?x32xf32> {
      %a = tgx.call @product(%x, %w) [s0] -> (s0) : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
      %b = tgx.call @reversed(%a) [s0] -> (s0) : (tensor<?x16xf32>) -> tensor<?x16xf32>
      %y = tgx.join %a, %b along 1 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
      return %y : tensor<?x32xf32>
    }
    tgx.kernel @product contraction[s0](%x: tensor<?x4xf32> [s0, 4], %w: tensor<4x16xf32>) attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 32>]} {
      %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
    }
    tgx.kernel @reversed loop[s0](%x: tensor<?x16xf32> [s0, 16]) attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 32>], output_rows = [#tgx.rows<axis = 1, row_stride = 32>]} {
      %y = tg.reverse %x {axes = [1]} : tensor<?x16xf32>
    }
    ```

    The same after `schedule`:

    ```mlir
    tgx.function @g attributes {
        role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
        inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
                  {name = "w", type = tensor<4x16xf32>, extents = affine_map<()[s0] -> (4, 16)>} ],
        outputs = [{name = "y", type = tensor<?x32xf32>, extents = affine_map<()[s0] -> (s0, 32)>} ]} {
      %x = tgx.input 0 : tensor<?x4xf32>
      %w = tgx.input 1 : tensor<4x16xf32>
      %y = tgx.output 0 : tensor<?x32xf32>
      %a = tgx.part %y along 1 at 0 : tensor<?x32xf32> -> tensor<?x16xf32>
      tgx.launch @product(%x, %w) into (%a) [s0] -> (s0) : tensor<?x4xf32>, tensor<4x16xf32> into tensor<?x16xf32>
      %b = tgx.part %y along 1 at 16 : tensor<?x32xf32> -> tensor<?x16xf32>
      tgx.launch @reversed(%a) into (%b) [s0] -> (s0) : tensor<?x16xf32> into tensor<?x16xf32>
    }
    tgx.kernel @product contraction[s0](%x: tensor<?x4xf32> [s0, 4], %w: tensor<4x16xf32>) attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 32>]} {
      %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
    }
    tgx.kernel @reversed loop[s0](%x: tensor<?x16xf32> [s0, 16]) attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 32>], output_rows = [#tgx.rows<axis = 1, row_stride = 32>]} {
      %y = tg.reverse %x {axes = [1]} : tensor<?x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tg::TgDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class Tgx_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tgx_Dialect, mnemonic, [Tg_GeneralConstraints] # traits>;

/// Ops inside kernels that are not part of the model's arithmetic: they count
/// no FLOPs.
class Tgx_BodyOp<string mnemonic, list<Trait> traits = []>
    : Tgx_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<Tg_CostOpInterface>]
                       # traits> {
  let extraClassDefinition = Tg_NoFlops;
}

#endif // TG_DIALECTS_TGX_TGXBASE_TD
