// RUN: tgc-opt --split-input-file --verify-each --tg-fuse-kernels %s | FileCheck %s

// Calls with layers of different widths share a kernel and pass the width. An
// extent of 1 stays static because it is broadcast.

// CHECK-LABEL: func @layers
// CHECK: tgx.call @[[K:.*]](%arg0, %arg1) [] -> (4, 8)
// CHECK: tgx.call @[[K]](%arg2, %arg3) [] -> (4, 16)
// CHECK: tgx.kernel @[[K]] loop[s0, s1](%arg0: tensor<1x?xf32> [1, s1], %arg1: tensor<?x?xf32> [s0, s1])
// CHECK-NEXT: tg.broadcast_to %arg0, %{{.*}}, %{{.*}} {shape = [-1, -1]} : (tensor<1x?xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
// CHECK-NEXT: tg.add
// CHECK-NOT: tgx.kernel
func.func @layers(%a: tensor<1x8xf32> {tg.name = "a"}, %b: tensor<4x8xf32> {tg.name = "b"},
                  %c: tensor<1x16xf32> {tg.name = "c"}, %d: tensor<4x16xf32> {tg.name = "d"})
    -> (tensor<4x8xf32> {tg.name = "y"}, tensor<4x16xf32> {tg.name = "z"}) {
  %0 = tg.broadcast_to %a {shape = [4, 8]} : (tensor<1x8xf32>) -> tensor<4x8xf32>
  %1 = tg.add %0, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tg.broadcast_to %c {shape = [4, 16]} : (tensor<1x16xf32>) -> tensor<4x16xf32>
  %3 = tg.add %2, %d : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<4x16xf32>
}

// -----

// A kernel that is used for one shape has static extents, although its numbers
// differ; the batch stays a symbol.

// CHECK-LABEL: func @one
// CHECK: tgx.call @[[K:.*]](%arg0, %{{.*}}) [s0] -> (s0)
// CHECK: tgx.call @[[K]](%arg1, %{{.*}}) [s0] -> (s0)
// CHECK: tgx.kernel @[[K]] loop[s0](%arg0: tensor<?x8xf32> [s0, 8], %arg1: tensor<f32>)
func.func @one(%a: tensor<?x8xf32> {tg.name = "a", tg.dims = ["n", "8"]}, %b: tensor<?x8xf32> {tg.name = "b", tg.dims = ["n", "8"]})
    -> (tensor<?x8xf32> {tg.name = "y"}, tensor<?x8xf32> {tg.name = "z"}) {
  %p = tg.constant dense<0.3> : tensor<f32>
  %q = tg.constant dense<0.7> : tensor<f32>
  %0 = tg.mul %a, %p : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %1 = tg.mul %b, %q : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// A call passes the batch size and the width.

// CHECK-LABEL: func @batch
// CHECK: tgx.call @[[K:.*]](%arg0, %{{.*}}) [s0] -> (s0, 8)
// CHECK: tgx.call @[[K]](%arg1, %{{.*}}) [s0] -> (s0, 9)
// CHECK: tgx.kernel @[[K]] loop[s0, s1](%arg0: tensor<?x?xf32> [s0, s1], %arg1: tensor<f32>)
func.func @batch(%a: tensor<?x8xf32> {tg.name = "a", tg.dims = ["n", "8"]}, %b: tensor<?x9xf32> {tg.name = "b", tg.dims = ["n", "9"]})
    -> (tensor<?x8xf32> {tg.name = "y"}, tensor<?x9xf32> {tg.name = "z"}) {
  %p = tg.constant dense<0.3> : tensor<f32>
  %q = tg.constant dense<0.7> : tensor<f32>
  %0 = tg.mul %a, %p : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %1 = tg.mul %b, %q : (tensor<?x9xf32>, tensor<f32>) -> tensor<?x9xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x9xf32>
}

// -----

// Without a common iteration space the kernels keep their static extents.

// CHECK-LABEL: func @moved
// CHECK: tgx.kernel @{{.*}} loop(%arg0: tensor<4x8xf32>)
// CHECK: tgx.kernel @{{.*}} loop(%arg0: tensor<4x16xf32>)
func.func @moved(%a: tensor<4x8xf32> {tg.name = "a"}, %b: tensor<4x16xf32> {tg.name = "b"})
    -> (tensor<8x4xf32> {tg.name = "y"}, tensor<16x4xf32> {tg.name = "z"}) {
  %0 = tg.transpose %a {permutation = [1, 0]} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = tg.transpose %b {permutation = [1, 0]} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<16x4xf32>
}

// -----

// Kernels that a join writes in place keep their static extents, since the join
// may impose a row stride.

// CHECK-LABEL: func @joined
// CHECK: tgx.kernel @{{.*}} loop(%arg0: tensor<4x8xf32>)
// CHECK: tgx.kernel @{{.*}} loop(%arg0: tensor<4x16xf32>)
func.func @joined(%a: tensor<4x8xf32> {tg.name = "a"}, %b: tensor<4x16xf32> {tg.name = "b"})
    -> (tensor<4x24xf32> {tg.name = "y"}) {
  %0 = tg.relu %a : tensor<4x8xf32>
  %1 = tg.relu %b : tensor<4x16xf32>
  %2 = tgx.join %0, %1 along 1 : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<4x24xf32>
  return %2 : tensor<4x24xf32>
}

// -----

// A kernel with dynamic extents also serves calls with static ones.

// CHECK-LABEL: func @any
// CHECK: tgx.call @[[K:.*]](%arg0) [s0, s1] -> (s0, s1)
// CHECK: tgx.call @[[K]](%arg1) [s0, s1] -> (4, 8)
// CHECK: tgx.kernel @[[K]] loop[s0, s1](%arg0: tensor<?x?xf32>
func.func @any(%a: tensor<?x?xf32> {tg.name = "a", tg.dims = ["n", "m"]}, %b: tensor<4x8xf32> {tg.name = "b"})
    -> (tensor<?x?xf32> {tg.name = "y"}, tensor<4x8xf32> {tg.name = "z"}) {
  %0 = tg.relu %a : tensor<?x?xf32>
  %1 = tg.relu %b : tensor<4x8xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<4x8xf32>
}

// -----

// A dimension that is broadcast from the extent of the input is not replaced by
// a symbol.

// CHECK-LABEL: func @copied
// CHECK: tgx.kernel @{{.*}} loop[s0](%arg0: tensor<?x1xf32> [s0, 1], %arg1: tensor<?x8xf32> [s0, 8])
// CHECK: tgx.kernel @{{.*}} loop[s0](%arg0: tensor<?x1xf32> [s0, 1], %arg1: tensor<?x16xf32> [s0, 16])
func.func @copied(%a: tensor<?x1xf32> {tg.name = "a", tg.dims = ["n", "1"]}, %b: tensor<?x8xf32> {tg.name = "b", tg.dims = ["n", "8"]},
                  %c: tensor<?x16xf32> {tg.name = "c", tg.dims = ["n", "16"]})
    -> (tensor<?x8xf32> {tg.name = "y"}, tensor<?x16xf32> {tg.name = "z"}) {
  %0 = tg.broadcast_to %a {shape = [-1, 8]} : (tensor<?x1xf32>) -> tensor<?x8xf32>
  %1 = tg.add %0, %b : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = tg.broadcast_to %a {shape = [-1, 16]} : (tensor<?x1xf32>) -> tensor<?x16xf32>
  %3 = tg.add %2, %c : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  return %1, %3 : tensor<?x8xf32>, tensor<?x16xf32>
}
