// RUN: tgc-opt %s --tg-trim-dead-nodes="keep=both:negative" | FileCheck %s
// RUN: not tgc-opt %s --tg-trim-dead-nodes="keep=none:negative" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tgc-opt %s --tg-trim-dead-nodes="keep=both:positive" 2>&1 | FileCheck %s --check-prefix=OUTPUT

// FUNCTION: error: expected a function 'none' whose outputs to keep
// OUTPUT: error: 'func.func' op expected an output 'positive' to keep

// CHECK-LABEL: func.func @both
// CHECK-SAME: -> (tensor<f32> {tg.name = "negative"})
// CHECK-NOT: tg.relu
// CHECK: %[[N:.*]] = tg.neg
// CHECK: return %[[N]] : tensor<f32>
func.func @both(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "relu"}, tensor<f32> {tg.name = "negative"}) {
  %r = tg.relu %x : tensor<f32>
  %n = tg.neg %x : tensor<f32>
  return %r, %n : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @other_functions_keep_all
// CHECK-SAME: -> (tensor<f32> {tg.name = "y"})
func.func @other_functions_keep_all(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  return %x : tensor<f32>
}
