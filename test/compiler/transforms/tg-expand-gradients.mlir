// RUN: tgc-opt %s --tg-expand-gradients --cse --split-input-file | FileCheck %s

// One rule between value and target; the cotangent of the sum is 1.
// CHECK-LABEL: func.func @chain_rule
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = tg.tanh %[[X]]
// CHECK-NOT: tg.gradient
// CHECK-DAG: %[[SQUARE:.*]] = tg.mul %[[Y]], %[[Y]]
// CHECK: %[[FACTOR:.*]] = tg.sub %{{.*}}, %[[SQUARE]]
// CHECK: %[[G:.*]] = tg.mul %{{.*}}, %[[FACTOR]]
// CHECK: return %[[G]]
func.func @chain_rule(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %y = tg.tanh %x : tensor<4xf32>
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// What does not lie between value and target is not differentiated.
// CHECK-LABEL: func.func @inactive_ops_are_left_alone
// CHECK-COUNT-1: tg.exp
// CHECK-COUNT-1: tg.log
// CHECK-NOT: tg.exp
// CHECK-NOT: tg.log
// CHECK-NOT: tg.div
// CHECK: return
func.func @inactive_ops_are_left_alone(%x: tensor<f32> {tg.name = "x"}, %c: tensor<f32> {tg.name = "c"}) -> (tensor<f32> {tg.name = "g"}, tensor<f32> {tg.name = "unrelated"}) {
  %e = tg.exp %c : tensor<f32>
  %unrelated = tg.log %x : tensor<f32>
  %l = tg.mul %x, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g, %unrelated : tensor<f32>, tensor<f32>
}

// -----

// Uses add up, the last one first.
// CHECK-LABEL: func.func @uses_add_in_reverse_order
// CHECK-SAME: (%[[X:[^:]*]]: tensor<f32>
// CHECK-DAG: %[[FIRST:.*]] = tg.exp %[[X]]
// CHECK-DAG: %[[SECOND:.*]] = tg.expm1 %[[X]]
// CHECK: %[[OF_SECOND:.*]] = tg.add %[[SECOND]], %{{.*}}
// CHECK: %[[FROM_SECOND:.*]] = tg.mul %{{.*}}, %[[OF_SECOND]]
// CHECK: %[[FROM_FIRST:.*]] = tg.mul %{{.*}}, %[[FIRST]]
// CHECK: %[[SUM:.*]] = tg.add %[[FROM_SECOND]], %[[FROM_FIRST]]
// CHECK: return %[[SUM]]
func.func @uses_add_in_reverse_order(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %a = tg.exp %x : tensor<f32>
  %b = tg.expm1 %x : tensor<f32>
  %l = tg.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// The gradient of a variable is that of all its reads.
// CHECK-LABEL: func.func @reads_of_a_variable_add_up
// CHECK: %[[ONE:.*]] = tg.constant dense<1.0
// CHECK: %[[TWO:.*]] = tg.add %[[ONE]], %[[ONE]]
// CHECK: return %[[TWO]]
tg.variable @w {trainable} : tensor<f32>
func.func @reads_of_a_variable_add_up() -> (tensor<f32> {tg.name = "g"}) {
  %a = tg.read @w : tensor<f32>
  %b = tg.read @w : tensor<f32>
  %l = tg.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = tg.gradient %l variables [@w] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// A read after an assign stands for what was assigned.
// CHECK-LABEL: func.func @read_after_assign
// CHECK-SAME: (%[[X:[^:]*]]: tensor<f32>
// CHECK: %[[ONE:.*]] = tg.constant dense<1.0
// CHECK: %[[G:.*]] = tg.neg %[[ONE]]
// CHECK: return %[[G]]
tg.variable @w {trainable} : tensor<f32>
func.func @read_after_assign(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %n = tg.neg %x : tensor<f32>
  tg.assign @w, %n : tensor<f32>
  %l = tg.read @w : tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// The content on entry is what a variable's gradient means.
// CHECK-LABEL: func.func @assign_hides_the_content_on_entry
// CHECK: %[[ZERO:.*]] = tg.constant dense<0.0
// CHECK: return %[[ZERO]]
tg.variable @w {trainable} : tensor<f32>
func.func @assign_hides_the_content_on_entry(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  tg.assign @w, %x : tensor<f32>
  %l = tg.read @w : tensor<f32>
  %g = tg.gradient %l variables [@w] {allow_unconnected} : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// A wanted value that is computed from another counts the path through it.
// CHECK-LABEL: func.func @value_between_value_and_target
// CHECK: %[[ONE:.*]] = tg.constant dense<1.0
// CHECK: %[[INNER:.*]] = tg.neg %[[ONE]]
// CHECK: %[[OUTER:.*]] = tg.neg %[[INNER]]
// CHECK: return %[[OUTER]], %[[INNER]]
func.func @value_between_value_and_target(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "gx"}, tensor<f32> {tg.name = "gy"}) {
  %y = tg.neg %x : tensor<f32>
  %l = tg.neg %y : tensor<f32>
  %gx, %gy = tg.gradient %l wrt(%x, %y) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %gx, %gy : tensor<f32>, tensor<f32>
}

// -----

// The second request differentiates the result of the first.
// CHECK-LABEL: func.func @second_order
// CHECK-NOT: tg.gradient
// CHECK: return
func.func @second_order(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %l = tg.exp %x : tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = tg.gradient %g wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %h : tensor<f32>
}

// -----

// Zeros of an unknown extent.
// CHECK-LABEL: func.func @unconnected_value_has_zeros
// CHECK-SAME: (%[[X:[^:]*]]: tensor<f32>
// CHECK-SAME: %[[Y:[^:]*]]: tensor<?xf32>
// CHECK: tg.dim %[[Y]] {axis = 0 : i64}
// CHECK: tg.broadcast_to %{{.*}} : (tensor<f32>, tensor<i64>) -> tensor<?xf32>
func.func @unconnected_value_has_zeros(%x: tensor<f32> {tg.name = "x"}, %y: tensor<?xf32> {tg.name = "y"}) -> (tensor<?xf32> {tg.name = "g"}) {
  %l = tg.neg %x : tensor<f32>
  %g = tg.gradient %l wrt(%y) {allow_unconnected} : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

// An update that no wanted value and no variable of the request reaches.
// CHECK-LABEL: func.func @inactive_update
// CHECK-NOT: tg.gradient
tg.variable @average : tensor<f32>
func.func @inactive_update(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  tg.update [[@average]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %new = tg.neg %old : tensor<f32>
    tg.yield %new : tensor<f32>
  }
  %a = tg.read @average : tensor<f32>
  %l = tg.mul %x, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
