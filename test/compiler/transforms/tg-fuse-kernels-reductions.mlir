// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders,tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders,tg-prepare-kernels),tg-set-target{optimization=1},tg-fuse-kernels)' | FileCheck %s --check-prefix=PLAIN

// A contraction fuses the reductions over its rows and the ops that use them.

// CHECK-LABEL: func.func @bias
// CHECK-COUNT-1: tgx.call
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.matmul
// CHECK: tg.reduce_sum
// CHECK: tg.sub
// CHECK-NOT: tgx.kernel
// PLAIN-LABEL: func.func @bias
// PLAIN-COUNT-2: tgx.call
func.func @bias(%g: tensor<?x10xf32> {tg.name = "g", tg.dims = ["n", ""]}, %w: tensor<20x10xf32> {tg.name = "w"}, %b: tensor<20xf32> {tg.name = "b"})
    -> (tensor<?x20xf32> {tg.name = "x"}, tensor<20xf32> {tg.name = "y"}) {
  %0 = tg.matmul %g, %w {transpose_rhs} : (tensor<?x10xf32>, tensor<20x10xf32>) -> tensor<?x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<?x20xf32>) -> tensor<20xf32>
  %2 = tg.sub %b, %1 : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
  return %0, %2 : tensor<?x20xf32>, tensor<20xf32>
}

// -----

// Convolutions do the same, forward and backward: batch statistics, and the
// gradient of a bias after a relu.

// CHECK-LABEL: func.func @windows
// CHECK-COUNT-2: tgx.call
// CHECK-NOT: tgx.call
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.conv %
// CHECK: tg.reduce_sum
// CHECK: tg.div
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.conv_transpose
// CHECK: tg.select
// CHECK: tg.reduce_sum
// PLAIN-LABEL: func.func @windows
// PLAIN-COUNT-4: tgx.call
func.func @windows(%x: tensor<2x8x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x20xf32> {tg.name = "w"}, %n: tensor<f32> {tg.name = "n"})
    -> (tensor<1x1x1x20xf32> {tg.name = "a"}, tensor<2x8x8x4xf32> {tg.name = "b"}, tensor<4xf32> {tg.name = "c"}) {
  %0 = tg.conv %x, %w {padding = "same"} : (tensor<2x8x8x4xf32>, tensor<3x3x4x20xf32>) -> tensor<2x8x8x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1, 2], keep_dims} : (tensor<2x8x8x20xf32>) -> tensor<1x1x1x20xf32>
  %a = tg.div %1, %n : (tensor<1x1x1x20xf32>, tensor<f32>) -> tensor<1x1x1x20xf32>
  %2 = tg.conv_transpose %0, %w {output_sizes = [8, 8], padding = "same"} : (tensor<2x8x8x20xf32>, tensor<3x3x4x20xf32>) -> tensor<2x8x8x4xf32>
  %zero = tg.constant dense<0.0> : tensor<f32>
  %3 = tg.compare gt, %x, %zero : (tensor<2x8x8x4xf32>, tensor<f32>) -> tensor<2x8x8x4xi1>
  %b = tg.select %3, %2, %zero : (tensor<2x8x8x4xi1>, tensor<2x8x8x4xf32>, tensor<f32>) -> tensor<2x8x8x4xf32>
  %c = tg.reduce_sum %b {axes = [0, 1, 2]} : (tensor<2x8x8x4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<1x1x1x20xf32>, tensor<2x8x8x4xf32>, tensor<4xf32>
}

// -----

// An op that reads reduced values for each row waits for all rows.

// CHECK-LABEL: func.func @centered
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.reduce_sum
// CHECK-NOT: tg.sub
// CHECK: tgx.kernel
// CHECK: tg.sub
func.func @centered(%x: tensor<?x10xf32> {tg.name = "x", tg.dims = ["n", ""]}, %w: tensor<10x20xf32> {tg.name = "w"})
    -> (tensor<20xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0], keep_dims} : (tensor<?x20xf32>) -> tensor<1x20xf32>
  %2 = tg.sub %0, %1 : (tensor<?x20xf32>, tensor<1x20xf32>) -> tensor<?x20xf32>
  %3 = tg.mul %2, %2 : (tensor<?x20xf32>, tensor<?x20xf32>) -> tensor<?x20xf32>
  %4 = tg.reduce_sum %3 {axes = [0]} : (tensor<?x20xf32>) -> tensor<20xf32>
  return %4 : tensor<20xf32>
}

// -----

// Grouped convolutions and their input gradients are fused with elementwise
// users.

// CHECK-LABEL: func.func @groups
// CHECK-COUNT-2: tgx.call
// CHECK-NOT: tgx.call
func.func @groups(%x: tensor<2x8x8x20xf32> {tg.name = "x"}, %w: tensor<3x3x5x20xf32> {tg.name = "w"}, %d: tensor<2x6x6x20xf32> {tg.name = "d"})
    -> (tensor<2x6x6x20xf32> {tg.name = "y"}, tensor<1x1x1x20xf32> {tg.name = "s"}, tensor<2x8x8x20xf32> {tg.name = "z"}, tensor<20xf32> {tg.name = "t"}) {
  %y = tg.conv %x, %w {groups = 4 : i64} : (tensor<2x8x8x20xf32>, tensor<3x3x5x20xf32>) -> tensor<2x6x6x20xf32>
  %s = tg.reduce_sum %y {axes = [0, 1, 2], keep_dims} : (tensor<2x6x6x20xf32>) -> tensor<1x1x1x20xf32>
  %g = tg.conv_transpose %d, %w {groups = 4 : i64, output_sizes = [8, 8]} : (tensor<2x6x6x20xf32>, tensor<3x3x5x20xf32>) -> tensor<2x8x8x20xf32>
  %z = tg.mul %g, %x : (tensor<2x8x8x20xf32>, tensor<2x8x8x20xf32>) -> tensor<2x8x8x20xf32>
  %t = tg.reduce_sum %z {axes = [0, 1, 2]} : (tensor<2x8x8x20xf32>) -> tensor<20xf32>
  return %y, %s, %z, %t : tensor<2x6x6x20xf32>, tensor<1x1x1x20xf32>, tensor<2x8x8x20xf32>, tensor<20xf32>
}

// -----

// Not fused: row sums, a single row, batched matrices, integers, and long lines
// of grouped windows.

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-10: tgx.call
func.func @apart(%x: tensor<?x10xf32> {tg.name = "x", tg.dims = ["n", ""]}, %w: tensor<10x20xf32> {tg.name = "w"}, %one: tensor<1x10xf32> {tg.name = "one"},
    %many: tensor<3x4x10xf32> {tg.name = "many"}, %each: tensor<3x10x20xf32> {tg.name = "each"}, %i: tensor<?x10xi32> {tg.name = "i", tg.dims = ["n", ""]}, %j: tensor<10x20xi32> {tg.name = "j"}, %z: tensor<2x6x134x8xf32> {tg.name = "z"}, %g: tensor<3x129x4x8xf32> {tg.name = "g"})
    -> (tensor<8xf32> {tg.name = "e"}, tensor<?xf32> {tg.name = "a"}, tensor<20xf32> {tg.name = "b"}, tensor<20xf32> {tg.name = "c"}, tensor<20xi32> {tg.name = "d"}) {
  %0 = tg.matmul %x, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %a = tg.reduce_sum %0 {axes = [1]} : (tensor<?x20xf32>) -> tensor<?xf32>
  %1 = tg.matmul %one, %w : (tensor<1x10xf32>, tensor<10x20xf32>) -> tensor<1x20xf32>
  %b = tg.reduce_sum %1 {axes = [0]} : (tensor<1x20xf32>) -> tensor<20xf32>
  %2 = tg.matmul %many, %each : (tensor<3x4x10xf32>, tensor<3x10x20xf32>) -> tensor<3x4x20xf32>
  %c = tg.reduce_sum %2 {axes = [0, 1]} : (tensor<3x4x20xf32>) -> tensor<20xf32>
  %3 = tg.matmul %i, %j : (tensor<?x10xi32>, tensor<10x20xi32>) -> tensor<?x20xi32>
  %d = tg.reduce_sum %3 {axes = [0]} : (tensor<?x20xi32>) -> tensor<20xi32>
  %4 = tg.conv %z, %g {groups = 2 : i64} : (tensor<2x6x134x8xf32>, tensor<3x129x4x8xf32>) -> tensor<2x4x6x8xf32>
  %e = tg.reduce_sum %4 {axes = [0, 1, 2]} : (tensor<2x4x6x8xf32>) -> tensor<8xf32>
  return %e, %a, %b, %c, %d : tensor<8xf32>, tensor<?xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20xi32>
}

// -----

// Contractions with an operand that is not in memory are not fused either.

// CHECK-LABEL: func.func @constants
// CHECK-COUNT-4: tgx.call
func.func @constants(%x: tensor<?x10xf32> {tg.name = "x", tg.dims = ["n", ""]}, %w: tensor<10x20xf32> {tg.name = "w"})
    -> (tensor<20xf32> {tg.name = "a"}, tensor<20xf32> {tg.name = "b"}) {
  %twos = tg.constant dense<2.0> : tensor<10x20xf32>
  %ones = tg.constant dense<1.0> : tensor<10x30xf32>
  %0 = tg.matmul %x, %twos : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %a = tg.reduce_sum %0 {axes = [0]} : (tensor<?x20xf32>) -> tensor<20xf32>
  %1 = tg.matmul %ones, %w {transpose_lhs} : (tensor<10x30xf32>, tensor<10x20xf32>) -> tensor<30x20xf32>
  %b = tg.reduce_sum %1 {axes = [0]} : (tensor<30x20xf32>) -> tensor<20xf32>
  return %a, %b : tensor<20xf32>, tensor<20xf32>
}
