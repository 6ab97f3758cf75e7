// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s

// The centered values would be an output of the first kernel and an input of
// the second one. Both kernels compute them from %x instead.

// CHECK-LABEL: func.func @centered
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK: %[[MEAN:.*]] = tgx.call @{{.*}}(%[[X]])
// CHECK: %[[Y:.*]]:2 = tgx.call @[[FIRST:.*]](%[[X]], %[[MEAN]]) : {{.*}} -> (tensor<64x8xf32>, tensor<1x8xf32>)
// CHECK: tgx.call @[[SECOND:.*]](%[[X]], %[[MEAN]], %[[Y]]#1)
// CHECK: tgx.kernel @[[FIRST]]
// CHECK: tg.sub
// CHECK-NEXT: tg.relu
// CHECK: tgx.kernel @[[SECOND]]
// CHECK: tg.sub
// CHECK-NEXT: tg.mul
func.func @centered(%x: tensor<64x8xf32> {tg.name = "x"}) -> (tensor<64x8xf32> {tg.name = "y"}, tensor<64xf32> {tg.name = "z"}) {
  %mean = tg.reduce_sum %x {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %c = tg.sub %x, %mean : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %y = tg.relu %c : tensor<64x8xf32>
  %t = tg.reduce_sum %y {axes = [0], keep_dims} : (tensor<64x8xf32>) -> tensor<1x8xf32>
  %p = tg.mul %c, %t : (tensor<64x8xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
  %z = tg.reduce_sum %p {axes = [1]} : (tensor<64x8xf32>) -> tensor<64xf32>
  return %y, %z : tensor<64x8xf32>, tensor<64xf32>
}

// -----

// A contraction reads its operand from memory, so no kernel recomputes it.

// CHECK-LABEL: func.func @needed
// CHECK: %[[S:.*]]:2 = tgx.call @{{.*}}(%{{.*}}, %{{.*}}) : {{.*}} -> (tensor<64x8xf32>, tensor<1x8xf32>)
// CHECK: tgx.call @{{.*}}(%{{.*}}, %[[S]]#0
func.func @needed(%x: tensor<64x8xf32> {tg.name = "x"}, %b: tensor<8xf32> {tg.name = "b"}) -> (tensor<8x8xf32> {tg.name = "y"}, tensor<64x8xf32> {tg.name = "z"}) {
  %s = tg.add %x, %b : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %t = tg.reduce_sum %s {axes = [0], keep_dims} : (tensor<64x8xf32>) -> tensor<1x8xf32>
  %y = tg.matmul %x, %s {transpose_lhs} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %z = tg.mul %s, %t : (tensor<64x8xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<64x8xf32>
}

// -----

// The matrix product needs the activation in memory; the gradient recomputes it
// from %x, which it reads for its sums in any case.

// CHECK-LABEL: func.func @activation
// CHECK-SAME: (%[[X:[^:]*]]: {{.*}}, %[[B:[^:]*]]: {{.*}}, %[[G:[^:]*]]: {{.*}}, %{{.*}}:
// CHECK: tgx.call @[[LAST:[^(]*]](%[[X]], %[[B]], %[[G]], %{{[^,]*}}) : {{.*}} -> tensor<8xf32>
// CHECK: tgx.kernel @[[LAST]] reduction
// CHECK: tg.add
// CHECK-NEXT: tg.relu
// CHECK-NEXT: tg.compare
func.func @activation(%x: tensor<64x8xf32> {tg.name = "x"}, %b: tensor<8xf32> {tg.name = "b"}, %g: tensor<64x8xf32> {tg.name = "g"}, %w: tensor<8x4xf32> {tg.name = "w"}) -> (tensor<64x4xf32> {tg.name = "y"}, tensor<8xf32> {tg.name = "z"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %s = tg.add %x, %b : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %r = tg.relu %s : tensor<64x8xf32>
  %y = tg.matmul %r, %w : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %m = tg.compare gt, %r, %zero : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xi1>
  %t = tg.reduce_sum %y {axes = [0, 1], keep_dims} : (tensor<64x4xf32>) -> tensor<1x1xf32>
  %h = tg.mul %g, %t : (tensor<64x8xf32>, tensor<1x1xf32>) -> tensor<64x8xf32>
  %d = tg.select %m, %h, %zero : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %p = tg.mul %d, %x : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %z = tg.reduce_sum %p {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  return %y, %z : tensor<64x4xf32>, tensor<8xf32>
}

// -----

// Without another use of %x the gradient reads one value either way. It reads
// %x, so the activation is not saved.

// CHECK-LABEL: func.func @unread
// CHECK-SAME: (%[[X:[^:]*]]: {{.*}}, %[[B:[^:]*]]: {{.*}}, %[[G:[^:]*]]: {{.*}}, %{{.*}}:
// CHECK: tgx.call @{{.*}}(%[[X]], %[[B]], %[[G]], %{{[^,]*}}) : {{.*}} -> tensor<8xf32>
func.func @unread(%x: tensor<64x8xf32> {tg.name = "x"}, %b: tensor<8xf32> {tg.name = "b"}, %g: tensor<64x8xf32> {tg.name = "g"}, %w: tensor<8x4xf32> {tg.name = "w"}) -> (tensor<64x4xf32> {tg.name = "y"}, tensor<8xf32> {tg.name = "z"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %s = tg.add %x, %b : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %r = tg.relu %s : tensor<64x8xf32>
  %y = tg.matmul %r, %w : (tensor<64x8xf32>, tensor<8x4xf32>) -> tensor<64x4xf32>
  %m = tg.compare gt, %r, %zero : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xi1>
  %t = tg.reduce_sum %y {axes = [0, 1], keep_dims} : (tensor<64x4xf32>) -> tensor<1x1xf32>
  %h = tg.mul %g, %t : (tensor<64x8xf32>, tensor<1x1xf32>) -> tensor<64x8xf32>
  %d = tg.select %m, %h, %zero : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %z = tg.reduce_sum %d {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  return %y, %z : tensor<64x4xf32>, tensor<8xf32>
}

// -----

// The second kernel reads both products in any case. It and the last one would
// read and write fewer bytes if they computed the sum. But both products would
// then live as long as the sum does now. The largest products come last, so that
// the sum is not live at the peak, where fewer values are saved.

// CHECK-LABEL: func.func @longer
// CHECK: %[[SUM:.*]]:3 = tgx.call @{{.*}} -> (tensor<64x8xf32>, tensor<64x8xf32>, tensor<1x8xf32>)
// CHECK: %[[T:.*]] = tgx.call @reduce_sum__longer(
// CHECK-NEXT: tgx.call @mul_reduce_sum__longer(%[[SUM]]#1, %[[T]])
func.func @longer(%v: tensor<64x8xf32> {tg.name = "v"}, %w: tensor<8x8xf32> {tg.name = "w"}, %h: tensor<64x64xf32> {tg.name = "h"}) -> (tensor<64xf32> {tg.name = "y"}, tensor<64xf32> {tg.name = "z"}, tensor<64x64xf32> {tg.name = "k"}) {
  %a = tg.matmul %v, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %b = tg.matmul %v, %w {transpose_rhs} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %c = tg.add %a, %b : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %s = tg.reduce_sum %c {axes = [0], keep_dims} : (tensor<64x8xf32>) -> tensor<1x8xf32>
  %m = tg.mul %a, %b : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %n = tg.mul %m, %c : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %p = tg.mul %n, %s : (tensor<64x8xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
  %y = tg.reduce_sum %p {axes = [1]} : (tensor<64x8xf32>) -> tensor<64xf32>
  %t = tg.reduce_sum %y {axes = [0]} : (tensor<64xf32>) -> tensor<f32>
  %q = tg.mul %c, %t : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %z = tg.reduce_sum %q {axes = [1]} : (tensor<64x8xf32>) -> tensor<64xf32>
  %g = tg.matmul %h, %h : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = tg.matmul %g, %g : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %z, %k : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
}
