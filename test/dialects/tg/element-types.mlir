// Narrow integers in every place that allows integers. The text
// round-iterations.
// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc %s -o /dev/null

// CHECK: tg.variable @weights : tensor<3x2xi8>
tg.variable @weights : tensor<3x2xi8>
// CHECK: tg.variable @count : tensor<i16>
tg.variable @count : tensor<i16>

func.func @init() attributes {tg.role = "init"} {
  // CHECK: tg.constant dense<{{\[\[}}-128, 127], [0, -1], [1, 2]]> : tensor<3x2xi8>
  %w = tg.constant dense<[[-128, 127], [0, -1], [1, 2]]> : tensor<3x2xi8>
  tg.assign @weights, %w : tensor<3x2xi8>
  // CHECK: tg.constant dense<-32768> : tensor<i16>
  %c = tg.constant dense<-32768> : tensor<i16>
  tg.assign @count, %c : tensor<i16>
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() -> (tensor<3xi16> {tg.name = "hex"}, tensor<4xi8> {tg.name = "blob"}, tensor<5xi8> {tg.name = "iota"}) {
  // CHECK: tg.constant dense<[-32768, 1, 32767]> : tensor<3xi16>
  %hex = tg.constant dense<"0x00800100FF7F"> : tensor<3xi16>
  // CHECK: tg.constant dense_resource<bytes> : tensor<4xi8>
  %blob = tg.constant dense_resource<bytes> : tensor<4xi8>
  // CHECK: tg.iota {axis = 0 : i64, element_type = i8, shape = [5]}
  %iota = tg.iota {axis = 0, element_type = i8, shape = [5]} : () -> tensor<5xi8>
  return %hex, %blob, %iota : tensor<3xi16>, tensor<4xi8>, tensor<5xi8>
}

// CHECK-LABEL: func.func @step
func.func @step(%x: tensor<?x3xi8> {tg.name = "x", tg.dims = ["n", ""]}, %at: tensor<2xi32> {tg.name = "at"})
    -> (tensor<?x2xi32> {tg.name = "y", tg.dims = ["n", ""]}, tensor<2x2xi8> {tg.name = "rows"}, tensor<?xi64> {tg.name = "best", tg.dims = ["n"]}) {
  %w = tg.read @weights : tensor<3x2xi8>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<?x3xi8>, tensor<3x2xi8>) -> tensor<?x2xi32>
  %y = tg.matmul %x, %w : (tensor<?x3xi8>, tensor<3x2xi8>) -> tensor<?x2xi32>
  // CHECK: tg.gather %{{.*}}, %{{.*}} : (tensor<3x2xi8>, tensor<2xi32>) -> tensor<2x2xi8>
  %rows = tg.gather %w, %at : (tensor<3x2xi8>, tensor<2xi32>) -> tensor<2x2xi8>
  // CHECK: tg.argmax %{{.*}} {axis = 1 : i64} : (tensor<?x3xi8>) -> tensor<?xi64>
  %best = tg.argmax %x {axis = 1} : (tensor<?x3xi8>) -> tensor<?xi64>
  // CHECK: tg.cast %{{.*}} {element_type = i16} : (tensor<i8>) -> tensor<i16>
  %sum = tg.reduce_sum %x : (tensor<?x3xi8>) -> tensor<i8>
  %wide = tg.cast %sum {element_type = i16} : (tensor<i8>) -> tensor<i16>
  %old = tg.read @count : tensor<i16>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<1x1xi16>, tensor<1x1xi16>) -> tensor<1x1xi16>
  %a = tg.reshape %old {shape = [1, 1]} : (tensor<i16>) -> tensor<1x1xi16>
  %b = tg.reshape %wide {shape = [1, 1]} : (tensor<i16>) -> tensor<1x1xi16>
  %p = tg.matmul %a, %b : (tensor<1x1xi16>, tensor<1x1xi16>) -> tensor<1x1xi16>
  %new = tg.reshape %p {shape = []} : (tensor<1x1xi16>) -> tensor<i16>
  tg.assign @count, %new : tensor<i16>
  return %y, %rows, %best : tensor<?x2xi32>, tensor<2x2xi8>, tensor<?xi64>
}

{-#
  dialect_resources: {
    builtin: {
      bytes: "0x01000000FF80007F"
    }
  }
#-}
