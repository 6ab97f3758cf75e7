// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @host_call
func.func @host_call(%x: tensor<?xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  // CHECK: tg.host_call "my_relu"(%{{.*}}) sizes(%{{.*}}) {pure} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
  %y = tg.host_call "my_relu"(%x) sizes(%n) {pure} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @host_call_of_nothing
func.func @host_call_of_nothing() {
  // CHECK: tg.host_call "fc1/begin"() : () -> ()
  tg.host_call "fc1/begin"() : () -> ()
  return
}

// CHECK-LABEL: func @host_call_of_many
func.func @host_call_of_many(%x: tensor<2x3xi8>, %p: tensor<i1>, %n: tensor<i64>) -> (tensor<4xi1>, tensor<?x2x?xf64>) {
  // CHECK: tg.host_call "split"(%{{.*}}, %{{.*}}) sizes(%{{.*}}, %{{.*}}) : (tensor<2x3xi8>, tensor<i1>, tensor<i64>, tensor<i64>) -> (tensor<4xi1>, tensor<?x2x?xf64>)
  %a, %b = tg.host_call "split"(%x, %p) sizes(%n, %n) : (tensor<2x3xi8>, tensor<i1>, tensor<i64>, tensor<i64>) -> (tensor<4xi1>, tensor<?x2x?xf64>)
  return %a, %b : tensor<4xi1>, tensor<?x2x?xf64>
}

// CHECK-LABEL: func @assert
func.func @assert(%ok: tensor<i1>) {
  // CHECK: tg.assert %{{.*}}, "weights are finite" : tensor<i1>
  tg.assert %ok, "weights are finite" : tensor<i1>
  return
}

// CHECK-LABEL: func @print
func.func @print(%loss: tensor<f32>, %w: tensor<?x4xui8>) {
  // CHECK: tg.print "loss", %{{.*}} : tensor<f32>
  tg.print "loss", %loss : tensor<f32>
  // CHECK: tg.print "a \22label\22", %{{.*}} : tensor<?x4xui8>
  tg.print "a \22label\22", %w : tensor<?x4xui8>
  return
}
