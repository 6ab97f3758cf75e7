// Kernels round-trip in custom and generic form.
// RUN: tgc-opt %s --verify-roundtrip | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// GENERIC-DAG: "tgx.kernel"() <{{{.*}}strategy = 0 : i32
// GENERIC-DAG: "tgx.check_index"
// GENERIC-DAG: "tgx.check_divisor"
// GENERIC-DAG: "tgx.check_finite"
// GENERIC-DAG: "tgx.size"
// GENERIC-DAG: "tgx.materialize"
// GENERIC-DAG: "tgx.first_equal"
// GENERIC-DAG: "tgx.count_true"
// GENERIC-DAG: "tgx.list_true"
// GENERIC-DAG: "tgx.take_true"
// GENERIC-DAG: "tgx.pack"
// GENERIC-DAG: "tgx.unpack"
// GENERIC-DAG: "tgx.yield"
// GENERIC-DAG: "tgx.call"
// GENERIC-DAG: "tgx.join"
// GENERIC-DAG: "tgx.entry_check"

// CHECK: tgx.kernel @lookup loop[s0](%{{.*}}: tensor<9xf32>, %{{.*}}: tensor<?xi32> [s0])
// CHECK: tgx.check_index %{{.*}} below [s0] -> (9) {op_name = "tg.gather"} : tensor<?xi32>
"tgx.kernel"() <{sym_name = "lookup", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (9)>, affine_map<()[s0] -> (s0)>], argument_sizes = [unit, unit], symbol_count = 1 : i64}> ({
^bb0(%table: tensor<9xf32>, %index: tensor<?xi32>):
  %good = tgx.check_index %index below [s0] -> (9) {op_name = "tg.gather"} : tensor<?xi32>
  %y = tg.gather %table, %good : (tensor<9xf32>, tensor<?xi32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()

// CHECK: tgx.kernel @quotient loop
// CHECK: tgx.check_divisor %{{.*}} {op_name = "tg.div"} : tensor<4xi64>
"tgx.kernel"() <{sym_name = "quotient", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>, affine_map<() -> ()>], argument_sizes = [unit, affine_map<() -> (7)>], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xi64>, %seven: tensor<i64>):
  %d = tgx.check_divisor %x {op_name = "tg.div"} : tensor<4xi64>
  %y = tg.div %seven, %d : (tensor<i64>, tensor<4xi64>) -> tensor<4xi64>
  tgx.yield %y : tensor<4xi64>
}) : () -> ()

// A kernel may have any number of finite checks.
// CHECK: tgx.kernel @ratio loop
// CHECK: tgx.check_finite %{{.*}} {nan_only, op_name = "input 'x'"} : tensor<4xf32>
// CHECK: tgx.check_finite %{{.*}} from %{{.*}}, %{{.*}} {op_name = "tg.div"} : tensor<4xf32> from tensor<f32>, tensor<4xf32>
tgx.kernel @ratio loop(%a: tensor<f32>, %x: tensor<4xf32>) {
  %good = tgx.check_finite %x {op_name = "input 'x'", nan_only} : tensor<4xf32>
  %r = tg.div %a, %good : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = tgx.check_finite %r from %a, %good {op_name = "tg.div"} : tensor<4xf32> from tensor<f32>, tensor<4xf32>
}

// CHECK: tgx.first_equal %{{.*}} : (tensor<?xi32>) -> tensor<?xi64>
tgx.kernel @first custom[s0](%i: tensor<?xi32> [s0]) {
  %f = tgx.first_equal %i : (tensor<?xi32>) -> tensor<?xi64>
}

// CHECK: tgx.count_true %{{.*}} : (tensor<?x4xi1>) -> tensor<?xi64>
tgx.kernel @counts custom[s0](%p: tensor<?x4xi1> [s0, 4]) {
  %n = tgx.count_true %p : (tensor<?x4xi1>) -> tensor<?xi64>
}

// CHECK: tgx.list_true %{{.*}} from %{{.*}} count %{{.*}} : (tensor<3x4xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x2xi64>
tgx.kernel @lists custom[s0](%p: tensor<3x4xi1>, %starts: tensor<1xi64>) {
  %n = tgx.size [s0] -> (s0) : tensor<i64>
  %y = tgx.list_true %p from %starts count %n : (tensor<3x4xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x2xi64>
}

// CHECK: tgx.take_true %{{.*}} where %{{.*}} from %{{.*}} count %{{.*}} : (tensor<9xf32>, tensor<9xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?xf32>
tgx.kernel @takes custom[s0](%x: tensor<9xf32>, %p: tensor<9xi1>, %starts: tensor<1xi64>) {
  %n = tgx.size [s0] -> (s0) : tensor<i64>
  %y = tgx.take_true %x where %p from %starts count %n : (tensor<9xf32>, tensor<9xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?xf32>
}

// A kernel may have no arguments.

// CHECK: tgx.kernel @count loop
// CHECK-SAME: [s0 * 2]
// CHECK: tgx.materialize %{{.*}} : tensor<i64>
"tgx.kernel"() <{sym_name = "count", strategy = 0 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 1 : i64}> ({
  %n = tgx.size [s0] -> (s0 * 2) : tensor<i64>
  %y = tgx.materialize %n : tensor<i64>
  tgx.yield %y : tensor<i64>
}) : () -> ()

// CHECK: tgx.kernel @mean reduction
"tgx.kernel"() <{sym_name = "mean", strategy = 1 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 8)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x8xf32>):
  %eighth = tg.constant dense<0.125> : tensor<f32>
  %sum = tg.reduce_sum %x {axes = [1]} : (tensor<?x8xf32>) -> tensor<?xf32>
  %y = tg.mul %sum, %eighth : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  tgx.yield %sum, %y : tensor<?xf32>, tensor<?xf32>
}) : () -> ()

// CHECK: tgx.kernel @pack custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 0, width = 64>) : (tensor<40x4xf32>) -> tensor<1x4x64xf32>
"tgx.kernel"() <{sym_name = "pack", strategy = 3 : i32,
    argument_extents = [affine_map<() -> (40, 4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%w: tensor<40x4xf32>):
  %y = tgx.pack %w as(#cpu.panels<axis = 0, width = 64>) : (tensor<40x4xf32>) -> tensor<1x4x64xf32>
  tgx.yield %y : tensor<1x4x64xf32>
}) : () -> ()

// CHECK: tgx.kernel @pack_filter custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 32, winograd = 4>) : (tensor<3x3x16x48xf32>) -> tensor<36x2x16x32xf32>
tgx.kernel @pack_filter custom(%w: tensor<3x3x16x48xf32>) {
  %y = tgx.pack %w as(#cpu.panels<axis = 3, width = 32, winograd = 4>) : (tensor<3x3x16x48xf32>) -> tensor<36x2x16x32xf32>
}

// CHECK: tgx.kernel @pack_middle custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 1, width = 64>) : (tensor<3x40x4xf32>) -> tensor<1x12x64xf32>
tgx.kernel @pack_middle custom(%w: tensor<3x40x4xf32>) {
  %y = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<3x40x4xf32>) -> tensor<1x12x64xf32>
}

// CHECK: tgx.kernel @product contraction
// CHECK: tgx.unpack %{{.*}} as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
"tgx.kernel"() <{sym_name = "product", strategy = 2 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>, affine_map<()[s0] -> (1, 4, 64)>], argument_sizes = [unit, unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>, %w: tensor<1x4x64xf32>):
  %m = tgx.unpack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
  %p = tg.matmul %x, %m : (tensor<?x4xf32>, tensor<4x40xf32>) -> tensor<?x40xf32>
  %y = tg.relu %p : tensor<?x40xf32>
  tgx.yield %y : tensor<?x40xf32>
}) : () -> ()

// Results print with the names that their ops suggest.

// CHECK: tgx.kernel @largest custom
// CHECK: %[[VALUES:.*]], %[[INDICES:.*]] = tg.top_k
// CHECK: tgx.yield %[[INDICES]] : tensor<2xi64>
"tgx.kernel"() <{sym_name = "largest", strategy = 3 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %v, %i = tg.top_k %x {k = 2} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  tgx.yield %i : tensor<2xi64>
}) : () -> ()

// CHECK-LABEL: func.func @f
// CHECK: tgx.entry_check "lhs dim 0" [s0] -> (s0) expected [s0] -> (3) {op_name = "tg.add"}
// CHECK: tgx.call @product(%{{.*}}, %{{.*}}) [s0] -> (s0) : (tensor<?x4xf32>, tensor<1x4x64xf32>) -> tensor<?x40xf32>
func.func @f(%x: tensor<?x4xf32>, %w: tensor<40x4xf32>) -> tensor<?x40xf32> {
  tgx.entry_check "lhs dim 0" [s0] -> (s0) expected [s0] -> (3) {op_name = "tg.add"}
  %p = tgx.call @pack(%w)  : (tensor<40x4xf32>) -> tensor<1x4x64xf32>
  %y = tgx.call @product(%x, %p) [s0] -> (s0) : (tensor<?x4xf32>, tensor<1x4x64xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

// Rows of parts of larger buffers.

// CHECK: tgx.kernel @relu_rows loop[s0](%{{.*}}: tensor<?x4xf32> [s0, 4]) attributes {argument_rows = [#tgx.rows<axis = 1, row_stride = 12>], output_rows = [unit]}
"tgx.kernel"() <{sym_name = "relu_rows", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64,
    argument_rows = [#tgx.rows<axis = 1, row_stride = 12>], output_rows = [unit]}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()

// CHECK-LABEL: func.func @join
// CHECK: tgx.join %{{.*}}, %{{.*}} along 1 : (tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x12xf32>
func.func @join(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>) -> tensor<?x12xf32> {
  %y = tgx.join %a, %b along 1 : (tensor<?x4xf32>, tensor<?x8xf32>) -> tensor<?x12xf32>
  return %y : tensor<?x12xf32>
}

// Two loops in one launch.

// CHECK: tgx.kernel @parts loop[s0](%{{.*}}: tensor<?xf32> [s0], %{{.*}}: tensor<9xf32>) with(%{{.*}} = dense<2.000000e+00> : tensor<f32>) attributes {parts = array<i64: 2, 1>}
tgx.kernel @parts loop[s0](%x: tensor<?xf32> [s0], %y: tensor<9xf32>) with(%two = dense<2.0> : tensor<f32>) attributes {parts = array<i64: 2, 1>} {
  %0 = tg.mul %x, %two : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = tg.relu %x : tensor<?xf32>
  %2 = tg.mul %y, %two : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  tgx.yield %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<9xf32>
}
