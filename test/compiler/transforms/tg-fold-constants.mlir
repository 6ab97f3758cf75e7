// RUN: tgc-opt %s --tg-fold-constants | FileCheck %s
// RUN: tgc-opt %s --tg-fold-constants="max-bytes=8" | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func.func @op_on_constants_is_evaluated
// CHECK-NEXT: %[[C:.*]] = tg.constant dense<[4.000000e+00, 6.000000e+00, 8.000000e+00]>
// CHECK-NEXT: return %[[C]]
// SMALL-LABEL: func.func @op_on_constants_is_evaluated
// SMALL: tg.add
func.func @op_on_constants_is_evaluated() -> (tensor<3xf32> {tg.name = "y"}) {
  %a = tg.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %b = tg.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
  %y = tg.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// In f32 the chain rounds 1 + 1e8 to 1e8, and gives 1. Sums in lanes give 0, and
// exact ones 2.
// CHECK-LABEL: func.func @sum_keeps_its_order
// CHECK-NEXT: tg.constant dense<1.000000e+00> : tensor<f32>
func.func @sum_keeps_its_order() -> (tensor<f32> {tg.name = "y"}) {
  %a = tg.constant dense<[1.0, 1.0e8, -1.0e8, 1.0]> : tensor<4xf32>
  %y = tg.reduce_sum %a {axes = [0], tg.order = #tg.order<lanes = 1>} : (tensor<4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// A constant of equal elements is stored as a splat.
// CHECK-LABEL: func.func @broadcast_of_splat_is_a_splat
// CHECK-NEXT: tg.constant dense<2.000000e+00> : tensor<100x10xf32>
func.func @broadcast_of_splat_is_a_splat() -> (tensor<100x10xf32> {tg.name = "y"}) {
  %c = tg.constant dense<2.0> : tensor<f32>
  %y = tg.broadcast_to %c {shape = [100, 10]} : (tensor<f32>) -> tensor<100x10xf32>
  return %y : tensor<100x10xf32>
}

// CHECK-LABEL: func.func @zero_signs_are_elements
// CHECK-NEXT: tg.constant dense<[-0.000000e+00, 0.000000e+00]>
func.func @zero_signs_are_elements() -> (tensor<2xf32> {tg.name = "y"}) {
  %a = tg.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %y = tg.neg %a : tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @narrow_integers_wrap
// CHECK-DAG: tg.constant dense<[-128, 126]> : tensor<2xi8>
// CHECK-DAG: tg.constant dense<-32768> : tensor<3xi16>
func.func @narrow_integers_wrap() -> (tensor<2xi8> {tg.name = "y"}, tensor<3xi16> {tg.name = "z"}) {
  %a = tg.constant dense<[127, 126]> : tensor<2xi8>
  %b = tg.constant dense<[1, 0]> : tensor<2xi8>
  %y = tg.add %a, %b : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %c = tg.constant dense<-32768> : tensor<3xi16>
  %d = tg.constant dense<-1> : tensor<i16>
  %z = tg.div %c, %d : (tensor<3xi16>, tensor<i16>) -> tensor<3xi16>
  return %y, %z : tensor<2xi8>, tensor<3xi16>
}

// CHECK-LABEL: func.func @what_fails_stays
// CHECK: tg.div
func.func @what_fails_stays() -> (tensor<i32> {tg.name = "y"}) {
  %a = tg.constant dense<1> : tensor<i32>
  %b = tg.constant dense<0> : tensor<i32>
  %y = tg.div %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
}

// CHECK-LABEL: func.func @bomb_stays
// CHECK: tg.broadcast_to
func.func @bomb_stays() -> (tensor<1000000000x1000000xf32> {tg.name = "y"}) {
  %c = tg.constant dense<2.0> : tensor<f32>
  %y = tg.broadcast_to %c {shape = [1000000000, 1000000]} : (tensor<f32>) -> tensor<1000000000x1000000xf32>
  return %y : tensor<1000000000x1000000xf32>
}

// CHECK-LABEL: func.func @times_one_goes
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x3xf32>
// CHECK-NEXT: return %[[X]]
func.func @times_one_goes(%x: tensor<?x3xf32> {tg.name = "x"}) -> (tensor<?x3xf32> {tg.name = "y"}) {
  %one = tg.constant dense<1.0> : tensor<f32>
  %a = tg.mul %x, %one : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %b = tg.mul %one, %a : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %c = tg.div %b, %one : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  return %c : tensor<?x3xf32>
}

// -0 + 0 is 0, and so is -0 - (-0); -0 - 0 is -0.
// CHECK-LABEL: func.func @only_minus_zero_keeps_bits
// CHECK-SAME: (%[[X:[^:]*]]: tensor<f32>
// CHECK: %[[SUM:.*]] = tg.add %[[X]]
// CHECK: %[[DIFFERENCE:.*]] = tg.sub %[[X]]
// CHECK: return %[[SUM]], %[[DIFFERENCE]], %[[X]]
func.func @only_minus_zero_keeps_bits(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "a"}, tensor<f32> {tg.name = "b"}, tensor<f32> {tg.name = "c"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %minus_zero = tg.constant dense<-0.0> : tensor<f32>
  %a = tg.add %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = tg.sub %x, %minus_zero : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c = tg.sub %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @reshape_of_reshape
// CHECK-SAME: (%[[X:[^:]*]]: tensor<2x6xf32>
// CHECK-NEXT: tg.reshape %[[X]] {shape = [4, 3]} : (tensor<2x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return
func.func @reshape_of_reshape(%x: tensor<2x6xf32> {tg.name = "x"}) -> (tensor<4x3xf32> {tg.name = "y"}) {
  %a = tg.reshape %x {shape = [12]} : (tensor<2x6xf32>) -> tensor<12xf32>
  %y = tg.reshape %a {shape = [4, 3]} : (tensor<12xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @transpose_of_transpose
// CHECK-SAME: (%[[X:[^:]*]]: tensor<2x3x4xf32>
// CHECK-NEXT: tg.transpose %[[X]] {permutation = [2, 0, 1]} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32> {tg.name = "x"}) -> (tensor<4x2x3xf32> {tg.name = "y"}) {
  %a = tg.transpose %x {permutation = [1, 2, 0]} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %y = tg.transpose %a {permutation = [1, 2, 0]} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  return %y : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @dim_of_static_extent
// CHECK-NEXT: tg.constant dense<3> : tensor<i64>
// CHECK-NEXT: return
func.func @dim_of_static_extent(%x: tensor<?x3xf32> {tg.name = "x"}) -> (tensor<i64> {tg.name = "n"}) {
  %n = tg.dim %x {axis = 1} : (tensor<?x3xf32>) -> tensor<i64>
  return %n : tensor<i64>
}
