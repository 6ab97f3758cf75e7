// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-set-target{optimization=1},tg-fuse-kernels)' | FileCheck %s

// A training step of two layers. The relu output is not saved for the backward
// pass: the kernel of the relu gradient reads %p, which it needs in any case.
// It recomputes the relu output and passes it to the next product, as a view.

// CHECK-LABEL: func.func @layers
// CHECK: %[[P:.*]] = tgx.call @matmul__layers(
// CHECK: %[[MEAN:.*]] = tgx.call @reduce_sum__layers(%[[P]])
// CHECK: %[[Y:.*]] = tgx.call @sub_relu__layers(%[[P]], %[[MEAN]])
// CHECK: tgx.call @{{.*}}(%[[Y]],
// CHECK-NOT: %[[Y]]
// CHECK: %[[ANEW:.*]]:3 = tgx.call @[[GRADIENT:.*]](%[[P]], %[[MEAN]], %{{.*}})
// CHECK-NEXT: %[[VIEW:.*]] = tg.reshape %[[ANEW]]#0 {shape = [1, 64, 8]}
// CHECK: tgx.call @{{.*}}(%[[VIEW]],
// CHECK: return
// CHECK: tgx.kernel @[[GRADIENT]] reduction
// CHECK: %[[C:.*]] = tg.sub
// CHECK-NEXT: %[[RELU:.*]] = tg.relu %[[C]]
// CHECK: tg.compare gt, %[[RELU]]
// CHECK: tgx.yield %[[RELU]],
func.func @layers(%x: tensor<64x8xf32> {tg.name = "x"}, %w: tensor<8x8xf32> {tg.name = "w"}, %v: tensor<8x32xf32> {tg.name = "v"}) -> (tensor<1x8x32xf32> {tg.name = "dv"}, tensor<8x8xf32> {tg.name = "dw"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %p = tg.matmul %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %mean = tg.reduce_sum %p {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %c = tg.sub %p, %mean : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %y = tg.relu %c : tensor<64x8xf32>
  %q = tg.matmul %y, %v : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %t = tg.reduce_sum %q {axes = [1], keep_dims} : (tensor<64x32xf32>) -> tensor<64x1xf32>
  %dq = tg.mul %q, %t : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
  %y1 = tg.reshape %y {shape = [1, 64, 8]} : (tensor<64x8xf32>) -> tensor<1x64x8xf32>
  %dq1 = tg.reshape %dq {shape = [1, 64, 32]} : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
  %dv = tg.matmul %y1, %dq1 {transpose_lhs} : (tensor<1x64x8xf32>, tensor<1x64x32xf32>) -> tensor<1x8x32xf32>
  %dy = tg.matmul %dq, %v {transpose_rhs} : (tensor<64x32xf32>, tensor<8x32xf32>) -> tensor<64x8xf32>
  %passes = tg.compare gt, %y, %zero : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xi1>
  %dc = tg.select %passes, %dy, %zero : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %cc = tg.mul %dc, %c : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %s = tg.reduce_sum %cc {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %dp = tg.mul %dc, %s : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %dw = tg.matmul %x, %dp {transpose_lhs} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %dv, %dw : tensor<1x8x32xf32>, tensor<8x8xf32>
}

// -----

// No later op reads %p, so the relu output is saved instead.

// CHECK-LABEL: func.func @kept
// CHECK: %[[Y:.*]] = tgx.call @sub_relu__kept(
// CHECK: %[[VIEW:.*]] = tg.reshape %[[Y]] {shape = [1, 64, 8]}
// CHECK: tgx.call @{{.*}}(%[[VIEW]],
// CHECK: tgx.call @{{.*}}(%[[Y]], %{{[0-9]+}})
func.func @kept(%x: tensor<64x8xf32> {tg.name = "x"}, %w: tensor<8x8xf32> {tg.name = "w"}, %v: tensor<8x32xf32> {tg.name = "v"}) -> (tensor<1x8x32xf32> {tg.name = "dv"}, tensor<8x8xf32> {tg.name = "dw"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %p = tg.matmul %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %mean = tg.reduce_sum %p {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %c = tg.sub %p, %mean : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %y = tg.relu %c : tensor<64x8xf32>
  %q = tg.matmul %y, %v : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %t = tg.reduce_sum %q {axes = [1], keep_dims} : (tensor<64x32xf32>) -> tensor<64x1xf32>
  %dq = tg.mul %q, %t : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
  %y1 = tg.reshape %y {shape = [1, 64, 8]} : (tensor<64x8xf32>) -> tensor<1x64x8xf32>
  %dq1 = tg.reshape %dq {shape = [1, 64, 32]} : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
  %dv = tg.matmul %y1, %dq1 {transpose_lhs} : (tensor<1x64x8xf32>, tensor<1x64x32xf32>) -> tensor<1x8x32xf32>
  %dy = tg.matmul %dq, %v {transpose_rhs} : (tensor<64x32xf32>, tensor<8x32xf32>) -> tensor<64x8xf32>
  %passes = tg.compare gt, %y, %zero : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xi1>
  %dc = tg.select %passes, %dy, %zero : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %cc = tg.mul %dc, %dc : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %s = tg.reduce_sum %cc {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %dp = tg.mul %dc, %s : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %dw = tg.matmul %x, %dp {transpose_lhs} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %dv, %dw : tensor<1x8x32xf32>, tensor<8x8xf32>
}

// -----

// The gradient after the relu is not an output of the kernel that reduces it:
// the next kernel reads %p as well and recomputes the gradient from it.

// CHECK-LABEL: func.func @gradient
// CHECK: %[[P:.*]] = tgx.call @matmul__gradient(
// CHECK: %[[DY:.*]] = tgx.call @matmul__gradient_3(
// CHECK: %[[ANEW:.*]]:2 = tgx.call @[[FIRST:.*]](%[[P]], %[[MEAN:.*]], %[[DY]]) : {{.*}} -> (tensor<64x8xf32>, tensor<8xf32>)
// CHECK: tgx.call @[[SECOND:.*]](%[[P]], %[[MEAN]], %[[DY]], %[[ANEW]]#1)
// CHECK: tgx.kernel @[[SECOND]] loop
// CHECK: tg.relu
// CHECK-NEXT: tg.compare
// CHECK-NEXT: tg.select
func.func @gradient(%x: tensor<64x8xf32> {tg.name = "x"}, %w: tensor<8x8xf32> {tg.name = "w"}, %v: tensor<8x32xf32> {tg.name = "v"}) -> (tensor<1x8x32xf32> {tg.name = "dv"}, tensor<8x8xf32> {tg.name = "dw"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %p = tg.matmul %x, %w : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %mean = tg.reduce_sum %p {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %c = tg.sub %p, %mean : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %y = tg.relu %c : tensor<64x8xf32>
  %q = tg.matmul %y, %v : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
  %t = tg.reduce_sum %q {axes = [1], keep_dims} : (tensor<64x32xf32>) -> tensor<64x1xf32>
  %dq = tg.mul %q, %t : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
  %y1 = tg.reshape %y {shape = [1, 64, 8]} : (tensor<64x8xf32>) -> tensor<1x64x8xf32>
  %dq1 = tg.reshape %dq {shape = [1, 64, 32]} : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
  %dv = tg.matmul %y1, %dq1 {transpose_lhs} : (tensor<1x64x8xf32>, tensor<1x64x32xf32>) -> tensor<1x8x32xf32>
  %dy = tg.matmul %dq, %v {transpose_rhs} : (tensor<64x32xf32>, tensor<8x32xf32>) -> tensor<64x8xf32>
  %passes = tg.compare gt, %y, %zero : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xi1>
  %dc = tg.select %passes, %dy, %zero : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<f32>) -> tensor<64x8xf32>
  %cc = tg.mul %dc, %c : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %s = tg.reduce_sum %cc {axes = [0]} : (tensor<64x8xf32>) -> tensor<8xf32>
  %cs = tg.mul %c, %s : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %dp = tg.sub %dc, %cs : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %dw = tg.matmul %x, %dp {transpose_lhs} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %dv, %dw : tensor<1x8x32xf32>, tensor<8x8xf32>
}
