// RUN: tgc-opt %s --tg-expand-gradients --cse --split-input-file | FileCheck %s

// A single rule lies between value and target; the cotangent of the sum is 1.
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

// Ops that are not on a path from value to target are not differentiated.
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

// The cotangents of several uses are added, last use first.
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

// The gradient of a variable is the sum over all its reads.
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

// A read after an assign yields the assigned value.
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

// The gradient of a variable refers to its content on entry.
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

// The gradient of a wanted value includes the path through another wanted
// value.
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

// An unconnected value gets zeros of its dynamic shape.
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

// The update depends on no wanted value and on no variable of the request.
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

// -----

// The custom gradient replaces the gradient of the ops, and the ops are
// inlined.
// CHECK-LABEL: func.func @custom_gradient
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>
// CHECK-NOT: tg.custom_gradient
// CHECK: %[[Y:.*]] = tg.host_call "my_relu"(%[[X]]) {pure}
// CHECK: %[[ONES:.*]] = tg.broadcast_to
// CHECK: %[[G:.*]] = tg.host_call "my_relu_grad"(%[[Y]], %[[ONES]]) {pure}
// CHECK: return %[[G]]
func.func @custom_gradient(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in: tensor<4xf32>):
    %out = tg.host_call "my_relu"(%in) {pure} : (tensor<4xf32>) -> tensor<4xf32>
    tg.yield %out : tensor<4xf32>
  } gradient {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>, %grad: tensor<4xf32>):
    %in_grad = tg.host_call "my_relu_grad"(%out, %grad) {pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %in_grad : tensor<4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// A result without a cotangent passes zeros.
// CHECK-LABEL: func.func @absent_cotangent
// CHECK: %[[ZEROS:.*]] = tg.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK: tg.host_call "both_grad"(%{{.*}}, %[[ZEROS]]) {pure}
func.func @absent_cotangent(%x: tensor<3xf32> {tg.name = "x"}) -> (tensor<3xf32> {tg.name = "g"}) {
  %y:2 = tg.custom_gradient %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%in: tensor<3xf32>):
    tg.yield %in, %in : tensor<3xf32>, tensor<3xf32>
  } gradient {
  ^bb0(%in: tensor<3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %ga: tensor<3xf32>, %gb: tensor<3xf32>):
    %in_grad = tg.host_call "both_grad"(%ga, %gb) {pure} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tg.yield %in_grad : tensor<3xf32>
  }
  %l = tg.reduce_sum %y#0 : (tensor<3xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %g : tensor<3xf32>
}

// -----

// Without a request, custom_gradient ops are inlined, nested ones as well.
// CHECK-LABEL: func.func @without_request
// CHECK-NEXT: tg.exp
// CHECK-NEXT: tg.neg
// CHECK-NEXT: return
func.func @without_request(%x: tensor<3xf32> {tg.name = "x"}) -> (tensor<3xf32> {tg.name = "y"}) {
  %y = tg.custom_gradient %x : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%in: tensor<3xf32>):
    %inner = tg.custom_gradient %in : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%deep: tensor<3xf32>):
      %e = tg.exp %deep : tensor<3xf32>
      tg.yield %e : tensor<3xf32>
    } gradient {
    ^bb0(%deep: tensor<3xf32>, %out: tensor<3xf32>, %grad: tensor<3xf32>):
      tg.yield %grad : tensor<3xf32>
    }
    %n = tg.neg %inner : tensor<3xf32>
    tg.yield %n : tensor<3xf32>
  } gradient {
  ^bb0(%in: tensor<3xf32>, %out: tensor<3xf32>, %grad: tensor<3xf32>):
    tg.yield %grad : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// -----

// The second request names values that equal the operands of its target but are
// not on its path, so their gradients are zero. The first request's result is
// part of the second target.
// CHECK-LABEL: func.func @equal_values_are_two
// CHECK: %[[ZERO:.*]] = tg.constant dense<0.000000e+00> : tensor<f32>
// CHECK: return %{{.*}}, %[[ZERO]], %[[ZERO]] : tensor<f32>, tensor<f32>, tensor<f32>
func.func @equal_values_are_two(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "gx"}, tensor<f32> {tg.name = "gc"}, tensor<f32> {tg.name = "ge"}) {
  %c = tg.constant dense<0.25> : tensor<f32>
  %other = tg.constant dense<0.25> : tensor<f32>
  %e = tg.exp %x : tensor<f32>
  %equal = tg.exp %x : tensor<f32>
  %p = tg.mul %c, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %gx = tg.gradient %p wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %q = tg.mul %gx, %p : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %gc, %ge = tg.gradient %q wrt(%other, %equal) {allow_unconnected} : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %gx, %gc, %ge : tensor<f32>, tensor<f32>, tensor<f32>
}
