// RUN: tgc-opt %s --tg-trim-dead-nodes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unused_op_goes
// CHECK-NEXT: return
func.func @unused_op_goes(%x: tensor<4xf32> {tg.name = "x"}, %i: tensor<2xi32> {tg.name = "i"}) {
  %y = tg.neg %x : tensor<4xf32>
  %z = tg.relu %y : tensor<4xf32>
  // A dead op that can fail is removed along with its check.
  %w = tg.gather %x, %i : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: tg.variable @total
// CHECK-LABEL: func.func @assigned_value_is_a_root
// CHECK: %[[N:.*]] = tg.neg
// CHECK-NEXT: tg.assign @total, %[[N]]
tg.variable @total : tensor<4xf32>
func.func @assigned_value_is_a_root(%x: tensor<4xf32> {tg.name = "x"}) {
  %y = tg.neg %x : tensor<4xf32>
  tg.assign @total, %y : tensor<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @overwritten_assign_goes
// CHECK-SAME: (%[[X:[^:]*]]: tensor<f32>
// CHECK-NOT: tg.assign @a, %[[X]]
// CHECK: %[[N:.*]] = tg.neg %[[X]]
// CHECK-NEXT: tg.assign @a, %[[N]]
// CHECK-NEXT: return
tg.variable @a : tensor<f32>
func.func @overwritten_assign_goes(%x: tensor<f32> {tg.name = "x"}) {
  tg.assign @a, %x : tensor<f32>
  // The read is dead, so it does not keep the variable.
  %unneeded = tg.read @a : tensor<f32>
  %y = tg.neg %x : tensor<f32>
  tg.assign @a, %y : tensor<f32>
  return
}

// CHECK-LABEL: func.func @assign_before_a_read_stays
// CHECK: tg.assign @a
// CHECK: tg.read @a
// CHECK: tg.assign @a
func.func @assign_before_a_read_stays(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  tg.assign @a, %x : tensor<f32>
  %y = tg.read @a : tensor<f32>
  %z = tg.neg %y : tensor<f32>
  tg.assign @a, %z : tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @assign_before_an_update_stays
// CHECK: tg.assign @a
// CHECK: tg.update
// CHECK: tg.assign @a
func.func @assign_before_an_update_stays(%x: tensor<f32> {tg.name = "x"}) {
  tg.assign @a, %x : tensor<f32>
  tg.update [[@a]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %new = tg.neg %old : tensor<f32>
    tg.yield %new : tensor<f32>
  }
  tg.assign @a, %x : tensor<f32>
  return
}

// -----

// A variable that only init uses is removed together with its computation in
// init. A read of it in init yields the assigned value.
// CHECK-NOT: tg.variable @only_init
// CHECK: tg.variable @weight
// CHECK-LABEL: func.func @init
// CHECK-NEXT: %[[C:.*]] = tg.constant dense<1.0
// CHECK-NEXT: %[[N:.*]] = tg.neg %[[C]]
// CHECK-NEXT: tg.assign @weight, %[[N]]
// CHECK-NEXT: return
tg.variable @only_init : tensor<f32>
tg.variable @weight {trainable} : tensor<f32>
func.func @init() attributes {tg.role = "init"} {
  %c = tg.constant dense<1.0> : tensor<f32>
  tg.assign @only_init, %c : tensor<f32>
  %r = tg.read @only_init : tensor<f32>
  %n = tg.neg %r : tensor<f32>
  tg.assign @weight, %n : tensor<f32>
  return
}
func.func @test() -> (tensor<f32> {tg.name = "w"}) {
  %w = tg.read @weight : tensor<f32>
  return %w : tensor<f32>
}

// -----

// A used slot keeps its weight.
// CHECK: tg.variable @w
// CHECK: tg.variable @w_m
tg.variable @w {trainable} : tensor<f32>
tg.variable @w_m {slot_of = @w} : tensor<f32>
func.func @slot_keeps_its_weight() -> (tensor<f32> {tg.name = "m"}) {
  %m = tg.read @w_m : tensor<f32>
  return %m : tensor<f32>
}

// -----

// Bodies of updates are trimmed like functions.
// CHECK-LABEL: func.func @unused_op_of_an_update_goes
// CHECK: ^bb0(%[[OLD:.*]]: tensor<f32>):
// CHECK-NEXT: %[[NEW:.*]] = tg.neg %[[OLD]]
// CHECK-NEXT: tg.yield %[[NEW]]
tg.variable @w : tensor<f32>
func.func @unused_op_of_an_update_goes() {
  tg.update [[@w]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %unused = tg.exp %old : tensor<f32>
    %new = tg.neg %old : tensor<f32>
    tg.yield %new : tensor<f32>
  }
  return
}
