// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s --check-prefix=PLAIN

// A contraction computes cheap elements of its lhs itself.

// CHECK-LABEL: func.func @scaled
// CHECK-COUNT-1: tgx.call
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.cast
// CHECK: tg.mul
// CHECK: tg.matmul
// CHECK-NOT: tgx.kernel
// PLAIN-LABEL: func.func @scaled
// PLAIN-COUNT-2: tgx.call
func.func @scaled(%x: tensor<?x10xui8> {tg.name = "x", tg.dims = ["n", ""]}, %w: tensor<10x20xf32> {tg.name = "w"}) -> (tensor<?x20xf32> {tg.name = "y"}) {
  %scale = tg.constant dense<0.0625> : tensor<f32>
  %0 = tg.cast %x {element_type = f32} : (tensor<?x10xui8>) -> tensor<?x10xf32>
  %1 = tg.mul %0, %scale : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
  %2 = tg.matmul %1, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  return %2 : tensor<?x20xf32>
}

// -----

// It does not compute expensive elements, values with other users, values of
// two matrices, a transposed lhs or the rhs.

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-10: tgx.call
func.func @apart(%x: tensor<?x10xf32> {tg.name = "x", tg.dims = ["n", ""]}, %y: tensor<?x10xf32> {tg.name = "y", tg.dims = ["n", ""]}, %t: tensor<10x7xf32> {tg.name = "t"}, %w: tensor<10x20xf32> {tg.name = "w"})
    -> (tensor<?x20xf32> {tg.name = "a"}, tensor<?x20xf32> {tg.name = "b"}, tensor<?x20xf32> {tg.name = "c"}, tensor<7x20xf32> {tg.name = "d"}, tensor<?x20xf32> {tg.name = "e"}, tensor<?x10xf32> {tg.name = "f"}) {
  %0 = tg.exp %x : tensor<?x10xf32>
  %a = tg.matmul %0, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %1 = tg.neg %x : tensor<?x10xf32>
  %b = tg.matmul %1, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %2 = tg.mul %x, %y : (tensor<?x10xf32>, tensor<?x10xf32>) -> tensor<?x10xf32>
  %c = tg.matmul %2, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %3 = tg.neg %t : tensor<10x7xf32>
  %d = tg.matmul %3, %w {transpose_lhs} : (tensor<10x7xf32>, tensor<10x20xf32>) -> tensor<7x20xf32>
  %4 = tg.neg %w : tensor<10x20xf32>
  %e = tg.matmul %y, %4 : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  return %a, %b, %c, %d, %e, %1 : tensor<?x20xf32>, tensor<?x20xf32>, tensor<?x20xf32>, tensor<7x20xf32>, tensor<?x20xf32>, tensor<?x10xf32>
}

// -----

// A value that the kernel before can compute in its epilogue is fused there.

// CHECK-LABEL: func.func @chain
// CHECK: tgx.kernel @matmul_relu
// CHECK: tgx.kernel @matmul__
func.func @chain(%x: tensor<?x10xf32> {tg.name = "x", tg.dims = ["n", ""]}, %w: tensor<10x20xf32> {tg.name = "w"}, %v: tensor<20x7xf32> {tg.name = "v"}) -> (tensor<?x7xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<?x10xf32>, tensor<10x20xf32>) -> tensor<?x20xf32>
  %1 = tg.relu %0 : tensor<?x20xf32>
  %2 = tg.matmul %1, %v : (tensor<?x20xf32>, tensor<20x7xf32>) -> tensor<?x7xf32>
  return %2 : tensor<?x7xf32>
}

// -----

// The epilogue cannot normalize, since statistics of all rows are needed first.
// The next product computes the values from memory if they have no other user.

// CHECK-LABEL: func.func @normalized
// CHECK: %[[P:.*]]:2 = tgx.call @matmul_reduce_sum__normalized(
// CHECK-NEXT: %[[Q:.*]] = tgx.call @[[PRODUCT:.*]](%[[P]]#0, %[[P]]#1, %{{.*}}) :
// CHECK-NEXT: return %[[Q]]
// CHECK: tgx.kernel @[[PRODUCT]] contraction
// CHECK: tg.sub
// CHECK: tg.relu
// CHECK: tg.matmul
func.func @normalized(%x: tensor<64x10xf32> {tg.name = "x"}, %w: tensor<10x20xf32> {tg.name = "w"}, %v: tensor<20x7xf32> {tg.name = "v"}) -> (tensor<64x7xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<64x10xf32>, tensor<10x20xf32>) -> tensor<64x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<64x20xf32>) -> tensor<20xf32>
  %2 = tg.sub %0, %1 : (tensor<64x20xf32>, tensor<20xf32>) -> tensor<64x20xf32>
  %3 = tg.relu %2 : tensor<64x20xf32>
  %4 = tg.matmul %3, %v : (tensor<64x20xf32>, tensor<20x7xf32>) -> tensor<64x7xf32>
  return %4 : tensor<64x7xf32>
}

// -----

// CHECK-LABEL: func.func @normalized_twice
// CHECK: %[[P:.*]]:2 = tgx.call @matmul_reduce_sum__
// CHECK-NEXT: %[[Y:.*]] = tgx.call @sub_relu__
// CHECK-NEXT: tgx.call @matmul__{{.*}}(%[[Y]],
func.func @normalized_twice(%x: tensor<64x10xf32> {tg.name = "x"}, %w: tensor<10x20xf32> {tg.name = "w"}, %v: tensor<20x7xf32> {tg.name = "v"}) -> (tensor<64x7xf32> {tg.name = "y"}, tensor<64x20xf32> {tg.name = "z"}) {
  %0 = tg.matmul %x, %w : (tensor<64x10xf32>, tensor<10x20xf32>) -> tensor<64x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<64x20xf32>) -> tensor<20xf32>
  %2 = tg.sub %0, %1 : (tensor<64x20xf32>, tensor<20xf32>) -> tensor<64x20xf32>
  %3 = tg.relu %2 : tensor<64x20xf32>
  %4 = tg.matmul %3, %v : (tensor<64x20xf32>, tensor<20x7xf32>) -> tensor<64x7xf32>
  return %4, %3 : tensor<64x7xf32>, tensor<64x20xf32>
}
