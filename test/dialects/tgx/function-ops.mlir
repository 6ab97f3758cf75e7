// Scheduled functions round-trip in custom and generic form.
// RUN: tgc-opt %s --verify-roundtrip | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// GENERIC-DAG: "tgx.function"() <{{{.*}}role = "test"
// GENERIC-DAG: "tgx.input"() <{index = 0 : i64}>
// GENERIC-DAG: "tgx.launch"({{.*}}operandSegmentSizes = array<i32: 2, 1>

tg.variable @w : tensor<4x4xf32>
tg.variable @square : tensor<4x40xf32>

"tgx.kernel"() <{sym_name = "add", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>, affine_map<()[s0] -> (4)>], argument_sizes = [unit, unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>, %b: tensor<4xf32>):
  %y = tg.add %x, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
"tgx.kernel"() <{sym_name = "zero", strategy = 0 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  %z = tg.constant dense<0.0> : tensor<4x4xf32>
  %y = tgx.materialize %z : tensor<4x4xf32>
  tgx.yield %y : tensor<4x4xf32>
}) : () -> ()
"tgx.kernel"() <{sym_name = "pack", strategy = 3 : i32,
    argument_extents = [affine_map<() -> (4, 40)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%w: tensor<4x40xf32>):
  %y = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
  tgx.yield %y : tensor<1x4x64xf32>
}) : () -> ()
"tgx.kernel"() <{sym_name = "product", strategy = 2 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>, affine_map<()[s0] -> (1, 4, 64)>], argument_sizes = [unit, unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>, %w: tensor<1x4x64xf32>):
  %m = tgx.unpack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
  %y = tg.matmul %x, %m : (tensor<?x4xf32>, tensor<4x40xf32>) -> tensor<?x40xf32>
  tgx.yield %y : tensor<?x40xf32>
}) : () -> ()

// All kinds of buffers; the second kernel updates the workspace in place.

// CHECK-LABEL: tgx.function @test
// CHECK-SAME: arena_bytes = 2048 : i64
// CHECK: tgx.entry_check "x dim 0" [s0] -> (s0) expected at_most [s0] -> (100)
// CHECK: tgx.input 0 : tensor<?x4xf32>
// CHECK: tgx.output 0 : tensor<?x40xf32>
// CHECK: tgx.output 1 : tensor<?xf32>
// CHECK: tgx.constant dense<1.000000e+00> : tensor<4xf32> -> tensor<4xf32>
// CHECK: %[[ROWS:.*]] = tgx.workspace 0 [s0] -> (s0 * 16) above [] : tensor<?x4xf32>
// CHECK: tgx.packed @square by @pack : tensor<1x4x64xf32>
// CHECK: tgx.launch @add(%{{.*}}, %{{.*}}) into(%[[ROWS]]) [s0] -> (s0) : tensor<?x4xf32>, tensor<4xf32> into tensor<?x4xf32>
// CHECK: tgx.launch @add(%[[ROWS]], %{{.*}}) into(%[[ROWS]])
// CHECK: tgx.view %[[ROWS]] : tensor<?x4xf32> -> tensor<?xf32>
// CHECK: tgx.copy %{{.*}} to %{{.*}} [s0] -> (s0 * 16) : tensor<?xf32> to tensor<?xf32>
tgx.function @test attributes {
    role = "test", symbols = ["n", "flat.0"], computed = affine_map<()[s0] -> (s0 * 4)>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x40xf32>, extents = affine_map<()[s0] -> (s0, 40)>},
               {name = "flat", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0 * 4)>}],
    arena_bytes = 2048 : i64, lower_bound_bytes = 1024 : i64} {
  tgx.entry_check "x dim 0" [s0] -> (s0) expected at_most [s0] -> (100) {op_name = "tg.slice"}
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x40xf32>
  %flat = tgx.output 1 : tensor<?xf32>
  %ones = tgx.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
  %rows = tgx.workspace 0 [s0] -> (s0 * 16) above [] : tensor<?x4xf32>
  %w = tgx.packed @square by @pack : tensor<1x4x64xf32>
  tgx.launch @add(%x, %ones) into (%rows) [s0] -> (s0) : tensor<?x4xf32>, tensor<4xf32> into tensor<?x4xf32>
  tgx.launch @add(%rows, %ones) into (%rows) [s0] -> (s0) : tensor<?x4xf32>, tensor<4xf32> into tensor<?x4xf32>
  tgx.launch @product(%rows, %w) into (%y) [s0] -> (s0) : tensor<?x4xf32>, tensor<1x4x64xf32> into tensor<?x40xf32>
  %line = tgx.view %rows : tensor<?x4xf32> -> tensor<?xf32>
  tgx.copy %line to %flat [s0] -> (s0 * 16) : tensor<?xf32> to tensor<?xf32>
}

// A launch without inputs, and a variable.

// CHECK-LABEL: tgx.function @init
// CHECK: %[[W:.*]] = tgx.slab @w : tensor<4x4xf32>
// CHECK: tgx.launch @zero() into(%[[W]]) : into tensor<4x4xf32>
tgx.function @init attributes {
    role = "init", symbols = [], computed = affine_map<() -> ()>, inputs = [], outputs = []} {
  %w = tgx.slab @w : tensor<4x4xf32>
  tgx.launch @zero() into (%w)  : into tensor<4x4xf32>
}

// Two parts of an output that share its rows.

// CHECK-LABEL: tgx.function @parts
// CHECK: %[[Y:.*]] = tgx.output 0 : tensor<?x12xf32>
// CHECK: %[[LEFT:.*]] = tgx.part %[[Y]] along 1 at 0 : tensor<?x12xf32> -> tensor<?x4xf32>
// CHECK: %[[RIGHT:.*]] = tgx.part %[[Y]] along 1 at 4 : tensor<?x12xf32> -> tensor<?x8xf32>
// CHECK: tgx.launch @split(%{{.*}}) into(%[[LEFT]], %[[RIGHT]])
"tgx.kernel"() <{sym_name = "split", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 12>, #tgx.rows<axis = 1, row_stride = 12>]}> ({
^bb0(%x: tensor<?x4xf32>):
  %l = tg.relu %x : tensor<?x4xf32>
  %r = tg.concat %x, %x {axis = 1} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  tgx.yield %l, %r : tensor<?x4xf32>, tensor<?x8xf32>
}) : () -> ()
tgx.function @parts attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x12xf32>, extents = affine_map<()[s0] -> (s0, 12)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x12xf32>
  %l = tgx.part %y along 1 at 0 : tensor<?x12xf32> -> tensor<?x4xf32>
  %r = tgx.part %y along 1 at 4 : tensor<?x12xf32> -> tensor<?x8xf32>
  tgx.launch @split(%x) into (%l, %r) [s0] -> (s0) : tensor<?x4xf32> into tensor<?x4xf32>, tensor<?x8xf32>
}

// Host calls, prints and asserts.

// CHECK-LABEL: tgx.function @hosts
// CHECK: tgx.host "call" "my_relu"(%{{.*}}) into(%{{.*}}) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
// CHECK: tgx.host "call" "begin"() into() [s0] -> () : into ()
// CHECK: tgx.host "print" "x"(%{{.*}}) into() [s0] -> (s0, 4) : tensor<?x4xf32> into ()
// CHECK: tgx.host "assert" "it holds"(%{{.*}}) into() [s0] -> () : tensor<i1> into ()
tgx.function @hosts attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "ok", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %ok = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<?x4xf32>
  tgx.host "call" "my_relu"(%x) into (%y) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
  tgx.host "call" "begin"() into () [s0] -> () : into ()
  tgx.host "print" "x"(%y) into () [s0] -> (s0, 4) : tensor<?x4xf32> into ()
  tgx.host "assert" "it holds"(%ok) into () [s0] -> () : tensor<i1> into ()
}

// A data-dependent extent: the buffer has room for the upper bound.

// CHECK-LABEL: tgx.function @finds
// CHECK: tgx.measure %{{.*}} as 1 at_most [s0, s1] -> (s0 * 2) {label = "R1", op_name = "tg.slice", what = "size on dim 0"} : tensor<i64>
tgx.kernel @take loop[s0, s1](%x: tensor<?xf32> [s0]) with(%n = [s1]) {
  %y = tg.slice %x, %n {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
}
tgx.function @finds attributes {
    role = "", symbols = ["n", "found extent 0", "y.0"], found = affine_map<()[s0] -> (s0 * 2)>,
    computed = affine_map<()[s0, s1] -> (s1 * 2)>,
    inputs = [{name = "x", type = tensor<?x2xf32>, extents = affine_map<()[s0, s1] -> (s0, 2)>},
              {name = "k", type = tensor<i64>, extents = affine_map<()[s0, s1] -> ()>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s1)>}]} {
  %x = tgx.input 0 : tensor<?x2xf32>
  %k = tgx.input 1 : tensor<i64>
  %y = tgx.output 0 : tensor<?xf32>
  %flat = tgx.view %x : tensor<?x2xf32> -> tensor<?xf32>
  tgx.measure %k as 1 at_most [s0, s1] -> (s0 * 2) {label = "R1", op_name = "tg.slice", what = "size on dim 0"} : tensor<i64>
  tgx.launch @take(%flat) into (%y) [s0, s1] -> (s0 * 2, s1) : tensor<?xf32> into tensor<?xf32>
}
