// RUN: tgc-opt %s --tg-infer-shapes="dims=batch=32,one=1" | FileCheck %s
// RUN: tgc-opt %s --tg-infer-shapes --split-input-file | FileCheck %s --check-prefix=OPEN

// CHECK-LABEL: func.func @named_extent_is_bound
// CHECK-SAME: tensor<32x4xf32> {tg.dims = ["", ""], tg.name = "x"}
// CHECK-SAME: -> (tensor<32x4xf32> {tg.dims = ["", ""], tg.name = "y"})
// CHECK: tg.relu %{{.*}} : tensor<32x4xf32>
// OPEN-LABEL: func.func @named_extent_is_bound
// OPEN-SAME: tensor<?x4xf32> {tg.dims = ["batch", ""], tg.name = "x"}
func.func @named_extent_is_bound(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<?x4xf32> {tg.name = "y", tg.dims = ["batch", ""]}) {
  %y = tg.relu %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @known_number_becomes_attribute
// CHECK: tg.iota {axis = 0 : i64, shape = [32, 2]} : () -> tensor<32x2xi64>
// OPEN-LABEL: func.func @known_number_becomes_attribute
// OPEN: tg.iota %{{.*}} {axis = 0 : i64, shape = [-1, 2]} : (tensor<i64>) -> tensor<?x2xi64>
func.func @known_number_becomes_attribute(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<?x2xi64> {tg.name = "y"}) {
  %n = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>
  %y = tg.iota %n {axis = 0, shape = [-1, 2]} : (tensor<i64>) -> tensor<?x2xi64>
  return %y : tensor<?x2xi64>
}

// CHECK-LABEL: func.func @number_is_followed_through_arithmetic
// CHECK: tg.iota {axis = 0 : i64, shape = [12]} : () -> tensor<12xi64>
func.func @number_is_followed_through_arithmetic(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<?xi64> {tg.name = "y"}) {
  %n = tg.dim %x {axis = 0} : (tensor<4xf32>) -> tensor<i64>
  %three = tg.constant dense<3> : tensor<i64>
  %m = tg.mul %n, %three : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = tg.iota %m {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// Only the second of two sizes is known.
// CHECK-LABEL: func.func @one_of_two_numbers_is_bound
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tg.dim %[[X]]
// CHECK: tg.iota %[[N]] {axis = 0 : i64, shape = [-1, 7]} : (tensor<i64>) -> tensor<?x7xi64>
func.func @one_of_two_numbers_is_bound(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?x?xi64> {tg.name = "y"}) {
  %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %seven = tg.constant dense<7> : tensor<i64>
  %y = tg.iota %n, %seven {axis = 0, shape = [-1, -1]} : (tensor<i64>, tensor<i64>) -> tensor<?x?xi64>
  return %y : tensor<?x?xi64>
}

// CHECK-LABEL: func.func @slice_numbers_fill_starts_then_sizes
// CHECK: tg.slice %{{[^,]*}} {sizes = [2, 3], starts = [1, 0]} : (tensor<4x8xf32>) -> tensor<2x3xf32>
func.func @slice_numbers_fill_starts_then_sizes(%x: tensor<4x8xf32> {tg.name = "x"}) -> (tensor<?x3xf32> {tg.name = "y"}) {
  %one = tg.constant dense<1> : tensor<i64>
  %two = tg.constant dense<2> : tensor<i64>
  %y = tg.slice %x, %one, %two {sizes = [-1, 3], starts = [-1, 0]} : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @gradient_has_the_type_of_its_value
// CHECK: tg.gradient %{{.*}} wrt(%{{.*}}) : (tensor<f32>, tensor<32xf32>) -> tensor<32xf32>
func.func @gradient_has_the_type_of_its_value(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["batch"]}) -> (tensor<?xf32> {tg.name = "g"}) {
  %l = tg.reduce_sum %x : (tensor<?xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}

// A dynamic start may be out of range: the kernel checks it.
// CHECK-LABEL: func.func @start_of_an_input_stays
// CHECK: tg.slice %{{.*}}, %{{.*}} {sizes = [2], starts = [-1]} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
func.func @start_of_an_input_stays(%x: tensor<5xf32> {tg.name = "x"}, %t: tensor<i64> {tg.name = "t"}) -> (tensor<2xf32> {tg.name = "y"}) {
  %y = tg.slice %x, %t {sizes = [2], starts = [-1]} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// Half an extent of a loop operand is known before the loop.
// OPEN-LABEL: func.func @quotient_of_an_extent_in_a_loop
// OPEN: tg.scan inputs(%{{.*}}) : (tensor<5x?x?xf32>) -> tensor<5x?x?xf32>
func.func @quotient_of_an_extent_in_a_loop(%x: tensor<5x?x?xf32> {tg.name = "x", tg.dims = ["", "n", "m"]}) -> (tensor<5x?x?xf32> {tg.name = "y"}) {
  %two = tg.constant dense<2> : tensor<i64>
  %y = tg.scan inputs(%x) : (tensor<5x?x?xf32>) -> tensor<5x?x?xf32> {
  ^bb0(%row: tensor<?x?xf32>):
    %n = tg.dim %row {axis = 1} : (tensor<?x?xf32>) -> tensor<i64>
    %half = tg.div %n, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %best, %where = tg.top_k %row, %half {k = -1} : (tensor<?x?xf32>, tensor<i64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
    tg.yield %best : tensor<?x?xf32>
  }
  return %y : tensor<5x?x?xf32>
}

// This also holds for an extent whose formula could be negative.
// OPEN-LABEL: func.func @quotient_of_a_difference
// OPEN: tg.iota %{{.*}} {axis = 0 : i64, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
func.func @quotient_of_a_difference(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xi64> {tg.name = "y"}) {
  %two = tg.constant dense<2> : tensor<i64>
  %rest = tg.slice %x {sizes = [-1], starts = [1], strides = [3]} : (tensor<?xf32>) -> tensor<?xf32>
  %n = tg.dim %rest {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %half = tg.div %n, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = tg.iota %half {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// A copied extent may be 1 at run time, which must not broadcast.
// CHECK-LABEL: func.func @copied_extent_of_1
// CHECK: tg.broadcast_to %{{.*}} {shape = [3, 1, 4]} : (tensor<1x4xf32>) -> tensor<3x1x4xf32>
// OPEN-LABEL: func.func @copied_extent_of_1
// OPEN: tg.broadcast_to %{{.*}} {shape = [3, -1, 4]} : (tensor<?x4xf32>) -> tensor<3x?x4xf32>
func.func @copied_extent_of_1(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["one", ""]}) -> (tensor<3x?x4xf32> {tg.name = "y"}) {
  %y = tg.broadcast_to %x {shape = [3, -1, 4]} : (tensor<?x4xf32>) -> tensor<3x?x4xf32>
  return %y : tensor<3x?x4xf32>
}
