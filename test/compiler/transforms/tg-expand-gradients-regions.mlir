// RUN: tgc-opt %s --tg-expand-gradients --cse --canonicalize --verify-each --split-input-file | FileCheck %s

// The forward loop stacks the values that the backward loop needs: the result,
// which is the new state, and the old state. Weights are not stacked, and
// inputs are read directly.
// CHECK-LABEL: func.func @recurrent
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x2x3xf32>{{.*}}, %[[H:[^:]*]]: tensor<2x5xf32>{{.*}}, %[[R:[^:]*]]: tensor<5x5xf32>{{.*}}, %[[K:[^:]*]]: tensor<3x5xf32>
// CHECK: %[[FORWARD:.*]]:3 = tg.scan inits(%[[H]]) inputs(%[[X]]) : {{.*}} -> (tensor<2x5xf32>, tensor<?x2x5xf32>, tensor<?x2x5xf32>)
// CHECK-NEXT: ^bb0(%[[OLD:[^:]*]]: tensor<2x5xf32>,
// CHECK: %[[NEW:.*]] = tg.tanh
// CHECK: tg.yield %[[NEW]], %[[NEW]], %[[OLD]]
// CHECK: tg.scan inits({{.*}}) inputs(%[[FORWARD]]#1, %[[FORWARD]]#2, %[[X]]) {reverse} : {{.*}} -> (tensor<2x5xf32>, tensor<5x5xf32>, tensor<3x5xf32>)
// CHECK-NOT: tg.tanh
// CHECK: return
func.func @recurrent(%x: tensor<?x2x3xf32> {tg.name = "x"}, %h: tensor<2x5xf32> {tg.name = "h"}, %r: tensor<5x5xf32> {tg.name = "r"}, %k: tensor<3x5xf32> {tg.name = "k"}) -> (tensor<5x5xf32> {tg.name = "gr"}, tensor<3x5xf32> {tg.name = "gk"}) {
  %last = tg.scan inits(%h) inputs(%x) : (tensor<2x5xf32>, tensor<?x2x3xf32>) -> tensor<2x5xf32> {
  ^bb0(%old: tensor<2x5xf32>, %in: tensor<2x3xf32>):
    %a = tg.matmul %in, %k : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %b = tg.matmul %old, %r : (tensor<2x5xf32>, tensor<5x5xf32>) -> tensor<2x5xf32>
    %c = tg.add %a, %b : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %n = tg.tanh %c : tensor<2x5xf32>
    tg.yield %n : tensor<2x5xf32>
  }
  %l = tg.reduce_sum %last : (tensor<2x5xf32>) -> tensor<f32>
  %gr, %gk = tg.gradient %l wrt(%r, %k) : (tensor<f32>, tensor<5x5xf32>, tensor<3x5xf32>) -> (tensor<5x5xf32>, tensor<3x5xf32>)
  return %gr, %gk : tensor<5x5xf32>, tensor<3x5xf32>
}

// -----

// A sum saves nothing for the backward pass, and unwanted values have no
// cotangent.
// CHECK-LABEL: func.func @sum
// CHECK: tg.scan inits(%{{[^,)]*}}) inputs(%{{[^,)]*}}) {reverse} : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
// CHECK-NEXT: ^bb0(%[[G:[^:]*]]: tensor<4xf32>,
// CHECK-NEXT: tg.yield %[[G]], %[[G]]
func.func @sum(%x: tensor<?x4xf32> {tg.name = "x"}, %s: tensor<4xf32> {tg.name = "s"}) -> (tensor<?x4xf32> {tg.name = "g"}) {
  %sum = tg.scan inits(%s) inputs(%x) : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<4xf32> {
  ^bb0(%old: tensor<4xf32>, %in: tensor<4xf32>):
    %new = tg.add %old, %in : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %new : tensor<4xf32>
  }
  %l = tg.reduce_sum %sum : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// -----

// The backward pass recomputes loop invariants, values computed from scalars,
// and extents.
// CHECK-LABEL: func.func @cheap
// CHECK: tg.scan {{.*}} -> (tensor<i64>, tensor<?x4xf32>, tensor<3x?x4xf32>, tensor<3xi64>) {
// CHECK: tg.scan {{.*}} {reverse}
// CHECK: tg.random_uniform
// CHECK: tg.exp
// CHECK: return
func.func @cheap(%x: tensor<?x4xf32> {tg.name = "x"}, %w: tensor<4xf32> {tg.name = "w"}, %seed: tensor<i64> {tg.name = "seed"}) -> (tensor<?x4xf32> {tg.name = "g"}) {
  %zero = tg.constant dense<0> : tensor<i64>
  %i, %y = tg.scan inits(%zero, %x) {length = 3} : (tensor<i64>, tensor<?x4xf32>) -> (tensor<i64>, tensor<?x4xf32>) {
  ^bb0(%count: tensor<i64>, %v: tensor<?x4xf32>):
    %one = tg.constant dense<1> : tensor<i64>
    %e = tg.exp %w : tensor<4xf32>
    %draw = tg.random_uniform %seed, %count {shape = [4], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
    %a = tg.mul %v, %e : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    %b = tg.mul %a, %draw : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    %t = tg.tanh %b : tensor<?x4xf32>
    %next = tg.add %count, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tg.yield %next, %t : tensor<i64>, tensor<?x4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<?x4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// -----

// Seven steps form two segments of three, whose first states are saved, and one
// more step. The backward pass recomputes the segments without the assign.
// CHECK-LABEL: func.func @segments
// CHECK: tg.scan {{.*}} {segments = 2 : i64} : {{.*}} -> (tensor<4xf32>, tensor<2x4xf32>) {
// CHECK: tg.assign @seen
// CHECK: tg.scan {{.*}} : (tensor<4xf32>, tensor<1x4xf32>) ->
// CHECK: tg.assign @seen
// CHECK-NOT: tg.assign
// CHECK: return
tg.variable @seen : tensor<4xf32>
func.func @segments(%x: tensor<7x4xf32> {tg.name = "x"}, %h: tensor<4xf32> {tg.name = "h"}, %w: tensor<4xf32> {tg.name = "w"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %last = tg.scan inits(%h) inputs(%x) {segments = 2} : (tensor<4xf32>, tensor<7x4xf32>) -> tensor<4xf32> {
  ^bb0(%old: tensor<4xf32>, %in: tensor<4xf32>):
    %a = tg.mul %old, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %c = tg.add %a, %in : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %n = tg.tanh %c : tensor<4xf32>
    tg.assign @seen, %n : tensor<4xf32>
    tg.yield %n : tensor<4xf32>
  }
  %l = tg.reduce_sum %last : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%w) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// A variable that no step assigns is read once, before the loop.
// CHECK-LABEL: func.func @variable
// CHECK: %[[W:.*]] = tg.read @w
// CHECK: tg.scan
// CHECK-NOT: tg.read
// CHECK: return
tg.variable @w {trainable} : tensor<4xf32>
func.func @variable(%x: tensor<7x4xf32> {tg.name = "x"}, %h: tensor<4xf32> {tg.name = "h"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %last = tg.scan inits(%h) inputs(%x) : (tensor<4xf32>, tensor<7x4xf32>) -> tensor<4xf32> {
  ^bb0(%old: tensor<4xf32>, %in: tensor<4xf32>):
    %w = tg.read @w : tensor<4xf32>
    %a = tg.mul %old, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %c = tg.add %a, %in : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %c : tensor<4xf32>
  }
  %l = tg.reduce_sum %last : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l variables [@w] : (tensor<f32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// A branch value that the backward pass needs becomes a result; the other
// branch yields zeros for it. A cotangent that only one branch has is zero in
// the other.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[P:[^:]*]]: tensor<i1>
// CHECK: %[[FORWARD:.*]]:2 = tg.if %[[P]] : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK: %[[T:.*]] = tg.tanh
// CHECK: tg.yield %{{.*}}, %[[T]]
// CHECK: } else {
// CHECK: tg.yield %{{.*}}, %{{.*}}
// CHECK: tg.if %[[P]] : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NOT: tg.tanh
// CHECK: return
func.func @branches(%p: tensor<i1> {tg.name = "p"}, %x: tensor<4xf32> {tg.name = "x"}, %w: tensor<4xf32> {tg.name = "w"}) -> (tensor<4xf32> {tg.name = "gx"}, tensor<4xf32> {tg.name = "gw"}) {
  %y = tg.if %p : (tensor<i1>) -> tensor<4xf32> {
    %t = tg.tanh %x : tensor<4xf32>
    %m = tg.mul %t, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %m : tensor<4xf32>
  } else {
    %n = tg.neg %x : tensor<4xf32>
    tg.yield %n : tensor<4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %gx, %gw = tg.gradient %l wrt(%x, %w) : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %gx, %gw : tensor<4xf32>, tensor<4xf32>
}

// -----

// The loop counts its iterations, and each iteration writes its saved values to
// the tape at its index.
// CHECK-LABEL: func.func @iterations
// CHECK: %[[TAPE:.*]] = tg.{{.*}} -> tensor<9x4xf32>
// CHECK: tg.while inits(%{{.*}}, %{{.*}}, %[[TAPE]]) {max_trip = 9 : i64} : (tensor<4xf32>, tensor<i64>, tensor<9x4xf32>)
// CHECK: tg.update_slice
// CHECK: tg.while {{.*}} {max_trip = 9 : i64}
// CHECK: tg.compare gt
// CHECK: tg.slice
// CHECK: return
func.func @iterations(%x: tensor<4xf32> {tg.name = "x"}, %limit: tensor<f32> {tg.name = "limit"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %y = tg.while inits(%x) {max_trip = 9} : (tensor<4xf32>) -> tensor<4xf32> cond {
  ^bb0(%v: tensor<4xf32>):
    %s = tg.reduce_sum %v : (tensor<4xf32>) -> tensor<f32>
    %more = tg.compare lt, %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%v: tensor<4xf32>):
    %e = tg.exp %v : tensor<4xf32>
    tg.yield %e : tensor<4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// The body checks that the captured tensor is as long as the carried one, so
// the extent of the tape is known whichever operand comes first.
// CHECK-LABEL: func.func @captured
// CHECK: %[[ZEROS:.*]] = tg.broadcast_to %{{.*}}, %{{.*}} {shape = [3, -1]}
// CHECK: tg.while inits(%{{.*}}, %{{.*}}, %[[ZEROS]]) {max_trip = 3 : i64} : (tensor<?xf32>, tensor<i64>, tensor<3x?xf32>)
// CHECK: tg.while
// CHECK: return
func.func @captured(%p: tensor<i1> {tg.name = "p"}, %x: tensor<?xf32> {tg.name = "x"}, %a: tensor<?xf32> {tg.name = "a"}) -> (tensor<?xf32> {tg.name = "g"}) {
  %y = tg.while inits(%x) {max_trip = 3} : (tensor<?xf32>) -> tensor<?xf32> cond {
  ^bb0(%v: tensor<?xf32>):
    tg.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<?xf32>):
    %m = tg.mul %a, %v : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tg.yield %m : tensor<?xf32>
  }
  %l = tg.reduce_sum %y : (tensor<?xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%a) : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}
