// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @reduce_sum
func.func @reduce_sum(%x: tensor<?x10x4xf32>) {
  // CHECK: tg.reduce_sum %{{.*}} : (tensor<?x10x4xf32>) -> tensor<f32>
  %a = tg.reduce_sum %x : (tensor<?x10x4xf32>) -> tensor<f32>
  // CHECK: tg.reduce_sum %{{.*}} {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  %b = tg.reduce_sum %x {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  // CHECK: tg.reduce_sum %{{.*}} {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  %c = tg.reduce_sum %x {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  // CHECK: tg.reduce_sum %{{.*}} {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  %d = tg.reduce_sum %x {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  return
}

// CHECK-LABEL: func @reduce_prod
func.func @reduce_prod(%x: tensor<?x10x4xf32>) {
  // CHECK: tg.reduce_prod %{{.*}} : (tensor<?x10x4xf32>) -> tensor<f32>
  %a = tg.reduce_prod %x : (tensor<?x10x4xf32>) -> tensor<f32>
  // CHECK: tg.reduce_prod %{{.*}} {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  %b = tg.reduce_prod %x {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  // CHECK: tg.reduce_prod %{{.*}} {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  %c = tg.reduce_prod %x {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  // CHECK: tg.reduce_prod %{{.*}} {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  %d = tg.reduce_prod %x {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  return
}

// CHECK-LABEL: func @reduce_max
func.func @reduce_max(%x: tensor<?x10x4xf32>) {
  // CHECK: tg.reduce_max %{{.*}} : (tensor<?x10x4xf32>) -> tensor<f32>
  %a = tg.reduce_max %x : (tensor<?x10x4xf32>) -> tensor<f32>
  // CHECK: tg.reduce_max %{{.*}} {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  %b = tg.reduce_max %x {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  // CHECK: tg.reduce_max %{{.*}} {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  %c = tg.reduce_max %x {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  // CHECK: tg.reduce_max %{{.*}} {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  %d = tg.reduce_max %x {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  return
}

// CHECK-LABEL: func @reduce_min
func.func @reduce_min(%x: tensor<?x10x4xf32>) {
  // CHECK: tg.reduce_min %{{.*}} : (tensor<?x10x4xf32>) -> tensor<f32>
  %a = tg.reduce_min %x : (tensor<?x10x4xf32>) -> tensor<f32>
  // CHECK: tg.reduce_min %{{.*}} {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  %b = tg.reduce_min %x {axes = [1]} : (tensor<?x10x4xf32>) -> tensor<?x4xf32>
  // CHECK: tg.reduce_min %{{.*}} {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  %c = tg.reduce_min %x {axes = [2, 0], keep_dims} : (tensor<?x10x4xf32>) -> tensor<1x10x1xf32>
  // CHECK: tg.reduce_min %{{.*}} {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  %d = tg.reduce_min %x {axes = []} : (tensor<?x10x4xf32>) -> tensor<?x10x4xf32>
  return
}

// CHECK-LABEL: func @any_and_all
func.func @any_and_all(%p: tensor<?x10xi1>) {
  // CHECK: tg.reduce_max %{{.*}} {axes = [1]} : (tensor<?x10xi1>) -> tensor<?xi1>
  %a = tg.reduce_max %p {axes = [1]} : (tensor<?x10xi1>) -> tensor<?xi1>
  // CHECK: tg.reduce_min %{{.*}} : (tensor<?x10xi1>) -> tensor<i1>
  %b = tg.reduce_min %p : (tensor<?x10xi1>) -> tensor<i1>
  return
}

// CHECK-LABEL: func @argmax
func.func @argmax(%x: tensor<?x10xf32>) {
  // CHECK: tg.argmax %{{.*}} {axis = 1 : i64} : (tensor<?x10xf32>) -> tensor<?xi64>
  %y = tg.argmax %x {axis = 1} : (tensor<?x10xf32>) -> tensor<?xi64>
  // CHECK: tg.argmax %{{.*}} {axis = 0 : i64, keep_dims} : (tensor<?x10xf32>) -> tensor<1x10xi64>
  %z = tg.argmax %x {axis = 0, keep_dims} : (tensor<?x10xf32>) -> tensor<1x10xi64>
  return
}

// CHECK-LABEL: func @cumsum
func.func @cumsum(%x: tensor<?x10xf32>, %i: tensor<4xui8>) {
  // CHECK: tg.cumsum %{{.*}} {axis = 1 : i64} : tensor<?x10xf32>
  %a = tg.cumsum %x {axis = 1} : tensor<?x10xf32>
  // CHECK: tg.cumsum %{{.*}} {axis = 0 : i64, exclusive} : tensor<?x10xf32>
  %b = tg.cumsum %x {axis = 0, exclusive} : tensor<?x10xf32>
  // CHECK: tg.cumsum %{{.*}} {axis = 0 : i64, exclusive, reverse} : tensor<4xui8>
  %c = tg.cumsum %i {axis = 0, exclusive, reverse} : tensor<4xui8>
  return
}

// CHECK-LABEL: func @top_k
func.func @top_k(%x: tensor<?x10xf32>, %n: tensor<i64>) {
  // CHECK: tg.top_k %{{.*}} {k = 3 : i64} : (tensor<?x10xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>)
  %v, %i = tg.top_k %x {k = 3} : (tensor<?x10xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>)
  // CHECK: tg.top_k %{{.*}}, %{{.*}} {k = -1 : i64} : (tensor<?x10xf32>, tensor<i64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  %a, %b = tg.top_k %x, %n {k = -1} : (tensor<?x10xf32>, tensor<i64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  // CHECK: tg.top_k %{{.*}} {k = -1 : i64} : (tensor<?x10xf32>) -> (tensor<?x10xf32>, tensor<?x10xi64>)
  %c, %d = tg.top_k %x {k = -1} : (tensor<?x10xf32>) -> (tensor<?x10xf32>, tensor<?x10xi64>)
  return
}
