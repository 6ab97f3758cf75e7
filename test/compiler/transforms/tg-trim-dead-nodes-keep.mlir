// RUN: tgc-opt %s --tg-trim-dead-nodes="keep-variables" | FileCheck %s

// If all variables are kept, unused ones stay in order.
// CHECK: tg.variable @first
// CHECK-NEXT: tg.variable @used
// CHECK-NEXT: tg.variable @last
// CHECK-LABEL: func.func @keeps_variables
// CHECK-NEXT: tg.read @used
// CHECK-NEXT: return
tg.variable @first : tensor<2xf32>
tg.variable @used : tensor<f32>
tg.variable @last : tensor<3xf32>
func.func @keeps_variables() -> (tensor<f32> {tg.name = "used"}) {
  %unused = tg.read @first : tensor<2xf32>
  %used = tg.read @used : tensor<f32>
  return %used : tensor<f32>
}
