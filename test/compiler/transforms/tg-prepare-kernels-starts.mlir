// RUN: tgc-opt %s --tg-prepare-kernels | FileCheck %s


// A dynamic start is checked before the slice is read: the last valid start
// leaves room for all elements.
// CHECK-LABEL: func @start_of_an_input
func.func @start_of_an_input(%x: tensor<?x8xf32> {tg.name = "x"}, %s: tensor<i64> {tg.name = "s"})
    -> (tensor<3x8xf32> {tg.name = "y"}) {
  // CHECK: %[[S:.*]] = tgx.check_index %{{.*}} below [s0] -> (s0 - 4) {op_name = "tg.slice"} : tensor<i64>
  // CHECK: tg.slice %{{.*}}, %[[S]] {
  %y = tg.slice %x, %s {sizes = [3, 8], starts = [-1, 0], strides = [2, 1]} : (tensor<?x8xf32>, tensor<i64>) -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// CHECK-LABEL: func @start_of_an_update
func.func @start_of_an_update(%x: tensor<9xf32> {tg.name = "x"}, %u: tensor<2xf32> {tg.name = "u"}, %s: tensor<i64> {tg.name = "s"})
    -> (tensor<9xf32> {tg.name = "y"}) {
  // CHECK: %[[S:.*]] = tgx.check_index %{{.*}} below [] -> (8) {op_name = "tg.update_slice"}
  // CHECK: tg.update_slice %{{.*}}, %{{.*}}, %[[S]] {
  %y = tg.update_slice %x, %u, %s {starts = [-1]} : (tensor<9xf32>, tensor<2xf32>, tensor<i64>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// A start that is computed from extents is checked on entry.
// CHECK-LABEL: func @start_of_an_extent
func.func @start_of_an_extent(%x: tensor<?xf32> {tg.name = "x"}, %z: tensor<?xf32> {tg.name = "z"})
    -> (tensor<2xf32> {tg.name = "y"}) {
  // CHECK-NOT: tgx.check_index
  %s = tg.dim %z {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %y = tg.slice %x, %s {sizes = [2], starts = [-1]} : (tensor<?xf32>, tensor<i64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// An empty slice may start one past the last element, whatever its stride.
// CHECK-LABEL: func @start_of_nothing
func.func @start_of_nothing(%x: tensor<7xf32> {tg.name = "x"}, %s: tensor<i64> {tg.name = "s"})
    -> (tensor<0xf32> {tg.name = "y"}) {
  // CHECK: tgx.check_index %{{.*}} below [] -> (8)
  %y = tg.slice %x, %s {sizes = [0], starts = [-1], strides = [3]} : (tensor<7xf32>, tensor<i64>) -> tensor<0xf32>
  return %y : tensor<0xf32>
}
