// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

"tgx.kernel"() <{sym_name = "step", strategy = 2 : i32,
    argument_extents = [affine_map<() -> (1, 4)>, affine_map<() -> (4, 4)>], argument_sizes = [unit, unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>):
  %y = tg.matmul %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  tgx.yield %y : tensor<1x4xf32>
}) : () -> ()

"tgx.kernel"() <{sym_name = "below", strategy = 0 : i32,
    argument_extents = [affine_map<() -> ()>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<i32>):
  %ten = tg.constant dense<10> : tensor<i32>
  %y = tg.add %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %p = tg.compare lt, %y, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
  tgx.yield %y, %p : tensor<i32>, tensor<i1>
}) : () -> ()

// Each step reads an element and writes an element; the old and the new state
// swap buffers.

// CHECK-LABEL: tgx.function @loop
// CHECK: tgx.for [s0] -> (s0) reverse {
// CHECK: %[[IN:.*]] = tgx.element %{{.*}} [s0] -> (64) : tensor<?x4x4xf32> -> tensor<4x4xf32>
// CHECK: %[[OUT:.*]] = tgx.element %{{.*}} [s0] -> (16) : tensor<?x1x4xf32> -> tensor<1x4xf32>
// CHECK: tgx.launch @step(%[[OLD:.*]], %[[IN]]) into(%[[NEW:.*]]) [s0] -> ()
// CHECK: tgx.copy %[[NEW]] to %[[OUT]] [s0] -> (16)
// CHECK: tgx.swap %[[OLD]], %[[NEW]] : tensor<1x4xf32>
// CHECK-NEXT: }
tgx.function @loop attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<1x4xf32>, extents = affine_map<()[s0] -> (1, 4)>},
              {name = "w", type = tensor<?x4x4xf32>, extents = affine_map<()[s0] -> (s0, 4, 4)>}],
    outputs = [{name = "y", type = tensor<?x1x4xf32>, extents = affine_map<()[s0] -> (s0, 1, 4)>}]} {
  %old = tgx.workspace 0 [s0] -> (16) above [] : tensor<1x4xf32>
  %new = tgx.workspace 1 [s0] -> (16) above [0] : tensor<1x4xf32>
  %x = tgx.input 0 : tensor<1x4xf32>
  %w = tgx.input 1 : tensor<?x4x4xf32>
  %y = tgx.output 0 : tensor<?x1x4xf32>
  tgx.copy %x to %old [s0] -> (16) : tensor<1x4xf32> to tensor<1x4xf32>
  tgx.for [s0] -> (s0) reverse {
    %in = tgx.element %w [s0] -> (64) : tensor<?x4x4xf32> -> tensor<4x4xf32>
    %out = tgx.element %y [s0] -> (16) : tensor<?x1x4xf32> -> tensor<1x4xf32>
    tgx.launch @step(%old, %in) into (%new) [s0] -> () : tensor<1x4xf32>, tensor<4x4xf32> into tensor<1x4xf32>
    tgx.copy %new to %out [s0] -> (16) : tensor<1x4xf32> to tensor<1x4xf32>
    tgx.swap %old, %new : tensor<1x4xf32>
  }
}

// CHECK-LABEL: tgx.function @flags
// CHECK: tgx.while %[[FLAG:.*]] {max_trip = 5 : i64} : tensor<i1> {
// CHECK-NEXT: tgx.launch @below(%[[Y:.*]]) into(%[[Y]], %[[FLAG]])
// CHECK-NEXT: }
// CHECK: tgx.if %[[FLAG]] : tensor<i1> {
// CHECK-NEXT: tgx.copy
// CHECK-NEXT: } else {
// CHECK-NEXT: tgx.copy
// CHECK-NEXT: }
tgx.function @flags attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<i32>, extents = affine_map<() -> ()>}],
    outputs = [{name = "y", type = tensor<i32>, extents = affine_map<() -> ()>},
               {name = "z", type = tensor<i32>, extents = affine_map<() -> ()>}]} {
  %flag = tgx.workspace 0 [] -> (1) above [] : tensor<i1>
  %x = tgx.input 0 : tensor<i32>
  %y = tgx.output 0 : tensor<i32>
  %z = tgx.output 1 : tensor<i32>
  tgx.launch @below(%x) into (%y, %flag) [] -> () : tensor<i32> into tensor<i32>, tensor<i1>
  tgx.while %flag {max_trip = 5 : i64} : tensor<i1> {
    tgx.launch @below(%y) into (%y, %flag) [] -> () : tensor<i32> into tensor<i32>, tensor<i1>
  }
  tgx.if %flag : tensor<i1> {
    tgx.copy %x to %z [] -> (4) : tensor<i32> to tensor<i32>
  } else {
    tgx.copy %y to %z [] -> (4) : tensor<i32> to tensor<i32>
  }
}
