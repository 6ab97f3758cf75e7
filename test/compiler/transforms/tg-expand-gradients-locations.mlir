// RUN: tgc-opt %s --tg-expand-gradients --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// The ops that a gradient rule builds have the location of the differentiated
// op, fused with "grad".
// CHECK-LABEL: func.func @rule_has_the_location_of_its_op
// CHECK: tg.neg %arg0 : tensor<f32> loc("layer"("net.cpp":7:3))
// CHECK: tg.neg %{{.*}} : tensor<f32> loc(fused<"grad">["layer"("net.cpp":7:3)])
func.func @rule_has_the_location_of_its_op(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %l = tg.neg %x : tensor<f32> loc("layer"("net.cpp":7:3))
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
