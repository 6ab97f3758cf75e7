// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @softmax
func.func @softmax(%x: tensor<?x10xf32>) {
  // CHECK: tg.softmax %{{.*}} {axis = 1 : i64} : tensor<?x10xf32>
  %y = tg.softmax %x {axis = 1} : tensor<?x10xf32>
  return
}

// CHECK-LABEL: func @log_softmax
func.func @log_softmax(%x: tensor<?x10xf32>) {
  // CHECK: tg.log_softmax %{{.*}} {axis = 1 : i64} : tensor<?x10xf32>
  %y = tg.log_softmax %x {axis = 1} : tensor<?x10xf32>
  return
}

// CHECK-LABEL: func @moments
func.func @moments(%x: tensor<?x8x8x16xf32>) {
  // CHECK: tg.moments %{{.*}} {axes = [0, 1, 2]} : (tensor<?x8x8x16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %m, %v = tg.moments %x {axes = [0, 1, 2]} : (tensor<?x8x8x16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  // CHECK: tg.moments %{{.*}} {axes = [3], keep_dims} : (tensor<?x8x8x16xf32>) -> (tensor<?x8x8x1xf32>, tensor<?x8x8x1xf32>)
  %a, %b = tg.moments %x {axes = [3], keep_dims} : (tensor<?x8x8x16xf32>) -> (tensor<?x8x8x1xf32>, tensor<?x8x8x1xf32>)
  // CHECK: tg.moments %{{.*}} : (tensor<?x8x8x16xf32>) -> (tensor<f32>, tensor<f32>)
  %c, %d = tg.moments %x : (tensor<?x8x8x16xf32>) -> (tensor<f32>, tensor<f32>)
  return
}
