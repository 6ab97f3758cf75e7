// RUN: tgc-opt %s --split-input-file --tg-fuse-kernels="fuse=false" --tg-rematerialize="budget=1600" --verify-diagnostics | FileCheck %s

// A call with an early and a late user runs twice; a call without an early user
// moves. Views of recomputed values are recreated.

// CHECK-LABEL: func.func @twice
// CHECK-SAME: tgx.recomputed = {arena_bytes = 2048 : i64, flops = 128 : i64, launches = 1 : i64}
// CHECK: %[[A:.*]] = tgx.call @exp__twice(%[[X:.*]])
// CHECK: %[[B:.*]] = tgx.call @neg__twice(%[[A]])
// CHECK: %[[C:.*]] = tgx.call @tanh__twice(%[[B]])
// CHECK: %[[D:.*]] = tgx.call @mul__twice(%[[B]], %[[C]])
// CHECK: %[[AGAIN:.*]] = tgx.call @exp__twice(%[[X]])
// CHECK: %[[ROW:.*]] = tg.reshape %[[AGAIN]]
// CHECK: tgx.call @mul__twice_2(%[[D]], %[[ROW]])
// expected-remark @+1 {{memory budget: the arena of function 'twice' has 1536 bytes instead of 2048, for 1 more launches with 128 FLOPs}}
func.func @twice(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<1x128xf32> {tg.name = "y"}) {
  %a = tg.exp %x : tensor<128xf32>
  %b = tg.neg %a : tensor<128xf32>
  %c = tg.tanh %b : tensor<128xf32>
  %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %row = tg.reshape %a {shape = [1, 128]} : (tensor<128xf32>) -> tensor<1x128xf32>
  %y = tg.mul %d, %row : (tensor<128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  return %y : tensor<1x128xf32>
}

// -----

// CHECK-LABEL: func.func @moved
// CHECK-SAME: flops = 0 : i64, launches = 0 : i64
// CHECK-NEXT: tgx.call @neg__moved
// CHECK: tgx.call @exp__moved
// CHECK-NOT: tgx.call @exp__moved
// expected-remark @+1 {{for 0 more launches with 0 FLOPs}}
func.func @moved(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<128xf32> {tg.name = "y"}) {
  %a = tg.exp %x : tensor<128xf32>
  %b = tg.neg %x : tensor<128xf32>
  %c = tg.tanh %b : tensor<128xf32>
  %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// -----

// A checked value is recomputed without its check, which stays in place.

// CHECK-LABEL: tgx.kernel @look loop
// CHECK: tgx.check_index
// CHECK-LABEL: tgx.kernel @look_again loop
// CHECK-NOT: tgx.check_index
// CHECK: tg.gather
tgx.kernel @look loop(%x: tensor<9xf32>, %i: tensor<128xi32>) {
  %j = tgx.check_index %i below [] -> (9) {op_name = "tg.gather"} : tensor<128xi32>
  %y = tg.gather %x, %j : (tensor<9xf32>, tensor<128xi32>) -> tensor<128xf32>
}
// CHECK-LABEL: func.func @checked
// CHECK-SAME: launches = 1 : i64
// CHECK: %[[A:.*]] = tgx.call @look(%[[X:.*]], %[[I:.*]])
// CHECK: tgx.call @neg__checked(%[[A]])
// CHECK: %[[AGAIN:.*]] = tgx.call @look_again(%[[X]], %[[I]])
// CHECK: tgx.call @mul__checked(%{{.*}}, %[[AGAIN]])
// expected-remark @+1 {{memory budget: the arena of function 'checked' has 1536 bytes instead of 2048, for 1 more launches}}
func.func @checked(%x: tensor<9xf32> {tg.name = "x"}, %i: tensor<128xi32> {tg.name = "i"}) -> (tensor<128xf32> {tg.name = "y"}) {
  %a = tgx.call @look(%x, %i) : (tensor<9xf32>, tensor<128xi32>) -> tensor<128xf32>
  %b = tg.neg %a : tensor<128xf32>
  %c = tg.tanh %b : tensor<128xf32>
  %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// -----

// A counter is incremented after its last reader, and a second time if others
// need the new count earlier.

// CHECK-LABEL: func.func @counted
// CHECK-SAME: launches = 2 : i64
// CHECK-COUNT-2: tgx.call @random_uniform__counted
// CHECK: %[[COUNT:.*]] = tgx.call @add__counted
// CHECK: tgx.call @cast__counted(%[[COUNT]])
// CHECK: %[[NEXT:.*]] = tgx.call @add__counted
// CHECK: tg.assign @step, %[[NEXT]]
tg.variable @step : tensor<i64>
// expected-remark @+1 {{has 1536 bytes instead of 2112, for 2 more launches with 1 FLOPs}}
func.func @counted(%seed: tensor<i64> {tg.name = "seed"}) -> (tensor<128xf32> {tg.name = "y"}) {
  %step = tg.read @step : tensor<i64>
  %one = tg.constant dense<1> : tensor<i64>
  %next = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %count = tg.cast %next {element_type = f32} : (tensor<i64>) -> tensor<f32>
  %a = tg.random_uniform %seed, %step {shape = [128], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<128xf32>
  %b = tg.neg %a : tensor<128xf32>
  %c = tg.tanh %b : tensor<128xf32>
  %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %z = tg.mul %y, %count : (tensor<128xf32>, tensor<f32>) -> tensor<128xf32>
  tg.assign @step, %next : tensor<i64>
  return %z : tensor<128xf32>
}

// -----

// A function within the budget is unchanged.

// CHECK-LABEL: func.func @fits
// CHECK-NOT: tgx.recomputed
func.func @fits(%x: tensor<64xf32> {tg.name = "x"}) -> (tensor<64xf32> {tg.name = "y"}) {
  %a = tg.exp %x : tensor<64xf32>
  %b = tg.neg %a : tensor<64xf32>
  %y = tg.mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// The first call cannot be recomputed: the variable that it read is updated
// before the second use.

tg.variable @w : tensor<128xf32>
// expected-error @+1 {{option 'memory-budget': expected at least 2048 bytes for function 'changed', found 1600}}
func.func @changed(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<128xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<128xf32>
  %a = tg.exp %w : tensor<128xf32>
  %new = tg.mul %w, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  tg.assign @w, %new : tensor<128xf32>
  %b = tg.neg %new : tensor<128xf32>
  %c = tg.tanh %b : tensor<128xf32>
  %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// -----

// A view with two readers stays before both.

// CHECK-LABEL: func.func @viewed
// CHECK: %[[A:.*]] = tgx.call @exp__viewed(%[[X:.*]])
// CHECK: %[[ROW:.*]] = tg.reshape %[[A]]
// CHECK: tgx.call @neg__viewed(%[[ROW]])
// CHECK: %[[AGAIN:.*]] = tgx.call @exp__viewed(%[[X]])
// CHECK: %[[ANEW:.*]] = tg.reshape %[[AGAIN]]
// CHECK: tgx.call @mul__viewed(%{{.*}}, %[[ANEW]])
// expected-remark @+1 {{for 1 more launches with 128 FLOPs}}
func.func @viewed(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<1x128xf32> {tg.name = "y"}) {
  %a = tg.exp %x : tensor<128xf32>
  %row = tg.reshape %a {shape = [1, 128]} : (tensor<128xf32>) -> tensor<1x128xf32>
  %b = tg.neg %row : tensor<1x128xf32>
  %c = tg.tanh %b : tensor<1x128xf32>
  %d = tg.mul %b, %c : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  %y = tg.mul %d, %row : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  return %y : tensor<1x128xf32>
}

// -----

// The steps of loops are not recomputed; the diagnostic names the loop that
// keeps a value of every step.

// expected-error @+1 {{option 'memory-budget': expected at least}}
func.func @stacked(%x: tensor<64x128xf32> {tg.name = "x"}, %h: tensor<128xf32> {tg.name = "h"}) -> (tensor<f32> {tg.name = "y"}) {
  // expected-note @+1 {{this scan saves 32768 bytes of its steps; 'segments = 8' saves about 8192 bytes, and its gradient recomputes the rest}}
  %last, %all = tg.scan inits(%h) inputs(%x) : (tensor<128xf32>, tensor<64x128xf32>) -> (tensor<128xf32>, tensor<64x128xf32>) {
  ^bb0(%old: tensor<128xf32>, %in: tensor<128xf32>):
    %m = tg.mul %old, %in : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    tg.yield %m, %m : tensor<128xf32>, tensor<128xf32>
  }
  %s = tg.reduce_sum %all : (tensor<64x128xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Calls of one kernel that pass different constants of their function as
// inputs.

// CHECK-LABEL: func.func @numbers
// CHECK: %[[A:.*]] = tgx.call @[[SCALE:.*]](%[[X:.*]], %{{.*}})
// CHECK: tgx.call @[[SCALE]](%[[B:.*]], %{{.*}})
// CHECK: tgx.call @[[SCALE]](%[[X]], %{{.*}})
// expected-remark @+1 {{memory budget: the arena of function 'numbers' has 1536 bytes instead of 2048, for 1 more launches with 128 FLOPs}}
func.func @numbers(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<128xf32> {tg.name = "y"}) {
  %half = tg.constant dense<0.3> : tensor<f32>
  %more = tg.constant dense<1.7> : tensor<f32>
  %a = tg.mul %x, %half : (tensor<128xf32>, tensor<f32>) -> tensor<128xf32>
  %b = tg.neg %a : tensor<128xf32>
  %c = tg.mul %b, %more : (tensor<128xf32>, tensor<f32>) -> tensor<128xf32>
  %d = tg.add %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  %y = tg.sub %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
  return %y : tensor<128xf32>
}
