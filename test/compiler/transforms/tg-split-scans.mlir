// RUN: tgc-opt %s --pass-pipeline="builtin.module(tg-expand-gradients,tg-trim-dead-nodes,func.func(tg-split-scans),cse,tg-trim-dead-nodes)" --verify-each --split-input-file | FileCheck %s

// The input products of all steps become one product before the loop. One
// product remains in a step, and one in a step of the gradient. Each weight
// gradient is one product, the bias gradient one sum.
// CHECK-LABEL: func.func @recurrent
// CHECK: tg.matmul {{.*}} : (tensor<14x3xf32>, tensor<3x5xf32>) -> tensor<14x5xf32>
// CHECK: tg.scan
// CHECK-COUNT-1: tg.matmul
// CHECK-NOT: tg.matmul
// CHECK: tg.yield
// CHECK: tg.scan
// CHECK-COUNT-1: tg.matmul
// CHECK-NOT: tg.matmul
// CHECK-NOT: tg.reduce_sum
// CHECK: tg.yield
// CHECK-DAG: tg.matmul {{.*}} {transpose_lhs} : (tensor<14x5xf32>, tensor<14x5xf32>) -> tensor<5x5xf32>
// CHECK-DAG: tg.matmul {{.*}} {transpose_lhs} : (tensor<14x3xf32>, tensor<14x5xf32>) -> tensor<3x5xf32>
// CHECK-DAG: tg.matmul {{.*}} {transpose_rhs} : (tensor<14x5xf32>, tensor<3x5xf32>) -> tensor<14x3xf32>
// CHECK-DAG: tg.reduce_sum {{.*}} {axes = [0, 1]} : (tensor<7x2x5xf32>) -> tensor<5xf32>
// CHECK: return
func.func @recurrent(%x: tensor<7x2x3xf32> {tg.name = "x"}, %h: tensor<2x5xf32> {tg.name = "h"}, %r: tensor<5x5xf32> {tg.name = "r"}, %k: tensor<3x5xf32> {tg.name = "k"}, %bias: tensor<5xf32> {tg.name = "b"}) -> (tensor<7x2x3xf32> {tg.name = "gx"}, tensor<5x5xf32> {tg.name = "gr"}, tensor<3x5xf32> {tg.name = "gk"}, tensor<5xf32> {tg.name = "gb"}) {
  %last = tg.scan inits(%h) inputs(%x) : (tensor<2x5xf32>, tensor<7x2x3xf32>) -> tensor<2x5xf32> {
  ^bb0(%old: tensor<2x5xf32>, %in: tensor<2x3xf32>):
    %a = tg.matmul %in, %k : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %b = tg.matmul %old, %r : (tensor<2x5xf32>, tensor<5x5xf32>) -> tensor<2x5xf32>
    %c = tg.add %a, %b : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %d = tg.add %c, %bias : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2x5xf32>
    %n = tg.tanh %d : tensor<2x5xf32>
    tg.yield %n : tensor<2x5xf32>
  }
  %l = tg.reduce_sum %last : (tensor<2x5xf32>) -> tensor<f32>
  %gx, %gr, %gk, %gb = tg.gradient %l wrt(%x, %r, %k, %bias) : (tensor<f32>, tensor<7x2x3xf32>, tensor<5x5xf32>, tensor<3x5xf32>, tensor<5xf32>) -> (tensor<7x2x3xf32>, tensor<5x5xf32>, tensor<3x5xf32>, tensor<5xf32>)
  return %gx, %gr, %gk, %gb : tensor<7x2x3xf32>, tensor<5x5xf32>, tensor<3x5xf32>, tensor<5xf32>
}

// -----

// Linear ops on accumulated products are applied to their sum; scaling by a
// value that changes from step to step is not.
// CHECK-LABEL: func.func @linear
// CHECK: tg.scan
// CHECK-COUNT-1: tg.matmul
// CHECK-NOT: tg.matmul
// CHECK: tg.yield
// CHECK: %[[P:.*]] = tg.matmul {{.*}} {transpose_lhs} : (tensor<14x3xf32>, tensor<14x3xf32>) -> tensor<3x3xf32>
// CHECK: %[[Q:.*]] = tg.mul %[[P]], %{{.*}} : (tensor<3x3xf32>, tensor<f32>)
// CHECK: tg.neg %[[Q]]
// CHECK: return
func.func @linear(%x: tensor<7x2x3xf32> {tg.name = "x"}, %h: tensor<2x3xf32> {tg.name = "h"}, %s: tensor<3x3xf32> {tg.name = "s"}, %scale: tensor<f32> {tg.name = "scale"}) -> (tensor<3x3xf32> {tg.name = "y"}, tensor<3x3xf32> {tg.name = "z"}) {
  %y, %z, %last = tg.scan inits(%s, %s, %h) inputs(%x) : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<7x2x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x3xf32>) {
  ^bb0(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>, %old: tensor<2x3xf32>, %in: tensor<2x3xf32>):
    %new = tg.tanh %old : tensor<2x3xf32>
    %p = tg.matmul %in, %new {transpose_lhs} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %q = tg.mul %p, %scale : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %n = tg.neg %q : tensor<3x3xf32>
    %next = tg.add %a, %n : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %mean = tg.reduce_sum %new : (tensor<2x3xf32>) -> tensor<f32>
    %o = tg.matmul %new, %in {transpose_lhs} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %r = tg.mul %o, %mean : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %other = tg.add %b, %r : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    tg.yield %next, %other, %new : tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x3xf32>
  }
  return %y, %z : tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// A sum that the steps read stays in the loop, and so does a sum of values that
// are not stacked.
// CHECK-LABEL: func.func @sums_that_stay
// CHECK: tg.scan inits(%{{[^,)]*}}, %{{[^,)]*}})
// CHECK: tg.reduce_sum
// CHECK: tg.add
// CHECK: return
func.func @sums_that_stay(%x: tensor<?x2x3xf32> {tg.name = "x"}, %s: tensor<3xf32> {tg.name = "s"}) -> (tensor<3xf32> {tg.name = "y"}, tensor<3xf32> {tg.name = "z"}) {
  %y, %z = tg.scan inits(%s, %s) inputs(%x) : (tensor<3xf32>, tensor<3xf32>, tensor<?x2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>, %in: tensor<2x3xf32>):
    %t = tg.tanh %in : tensor<2x3xf32>
    %sum = tg.reduce_sum %t {axes = [0]} : (tensor<2x3xf32>) -> tensor<3xf32>
    %next = tg.add %a, %sum : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %e = tg.exp %b : tensor<3xf32>
    %other = tg.add %b, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tg.yield %next, %other : tensor<3xf32>, tensor<3xf32>
  }
  return %y, %z : tensor<3xf32>, tensor<3xf32>
}

// -----

// A product of loop invariants is computed once; the trip count stays known if
// no input is used.
// CHECK-LABEL: func.func @invariant
// CHECK: tg.matmul
// CHECK: tg.scan inits(%{{[^,)]*}}) inputs(%{{[^,)]*}})
// CHECK-NOT: tg.matmul
// CHECK: return
func.func @invariant(%x: tensor<?x2x3xf32> {tg.name = "x"}, %a: tensor<3x3xf32> {tg.name = "a"}) -> (tensor<3x3xf32> {tg.name = "y"}) {
  %y = tg.scan inits(%a) inputs(%x) : (tensor<3x3xf32>, tensor<?x2x3xf32>) -> tensor<3x3xf32> {
  ^bb0(%v: tensor<3x3xf32>, %in: tensor<2x3xf32>):
    %p = tg.matmul %a, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %next = tg.mul %v, %p : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    tg.yield %next : tensor<3x3xf32>
  }
  return %y : tensor<3x3xf32>
}

// -----

// Rows that each step scatters into zeros are scattered once, after the loop.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?x4xi32>
// CHECK: %[[NONE:.*]] = tg.constant dense<0.000000e+00> : tensor<1000x3xf32>
// CHECK: %[[STACKED:.*]]:2 = tg.scan inits(%{{[^,)]*}})
// CHECK-NOT: tg.scatter
// CHECK: }
// CHECK: tg.scatter %[[NONE]], %[[I]], %[[STACKED]]#1 : (tensor<1000x3xf32>, tensor<?x4xi32>, tensor<?x4x3xf32>)
func.func @rows(%i: tensor<?x4xi32> {tg.name = "i"}, %h: tensor<4x3xf32> {tg.name = "h"}) -> (tensor<1000x3xf32> {tg.name = "y"}, tensor<4x3xf32> {tg.name = "z"}) {
  %zeros = tg.constant dense<0.0> : tensor<1000x3xf32>
  %y, %z = tg.scan inits(%zeros, %h) inputs(%i) : (tensor<1000x3xf32>, tensor<4x3xf32>, tensor<?x4xi32>) -> (tensor<1000x3xf32>, tensor<4x3xf32>) {
  ^bb0(%sum: tensor<1000x3xf32>, %old: tensor<4x3xf32>, %in: tensor<4xi32>):
    %none = tg.constant dense<0.0> : tensor<1000x3xf32>
    %new = tg.tanh %old : tensor<4x3xf32>
    %d = tg.scatter %none, %in, %new : (tensor<1000x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<1000x3xf32>
    %more = tg.add %sum, %d : (tensor<1000x3xf32>, tensor<1000x3xf32>) -> tensor<1000x3xf32>
    tg.yield %more, %new : tensor<1000x3xf32>, tensor<4x3xf32>
  }
  return %y, %z : tensor<1000x3xf32>, tensor<4x3xf32>
}

// -----

// Loop invariants are computed before the loop if the first condition holds,
// together with the values that they depend on. A value that is larger than its
// operands stays, and so does an op that may fail.
// CHECK-LABEL: func.func @iterations
// CHECK: %[[RUNS:.*]] = tg.compare lt
// CHECK: %[[P:.*]] = tg.if %[[RUNS]] : (tensor<i1>) -> tensor<3x3xf32> {
// CHECK:   tg.tanh
// CHECK:   tg.matmul {{.*}} : (tensor<3x3xf32>, tensor<3x3xf32>)
// CHECK:   tg.yield
// CHECK: } else {
// CHECK:   tg.broadcast_to %{{.*}} {shape = [3, 3]}
// CHECK: tg.while
// CHECK: } do {
// CHECK-NOT: tg.tanh
// CHECK: tg.matmul {{.*}} : (tensor<3x1xf32>, tensor<1x3xf32>)
// CHECK: tg.gather
// CHECK: tg.add %{{.*}}, %[[P]]
// CHECK-NOT: tg.matmul
// CHECK: return
func.func @iterations(%n: tensor<i32> {tg.name = "n"}, %a: tensor<3x3xf32> {tg.name = "a"}, %c: tensor<3x1xf32> {tg.name = "c"}, %r: tensor<1x3xf32> {tg.name = "r"}, %rows: tensor<3xi32> {tg.name = "rows"}) -> (tensor<3x3xf32> {tg.name = "y"}) {
  %zero = tg.constant dense<0> : tensor<i32>
  %i, %y = tg.while inits(%zero, %a) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>) cond {
  ^bb0(%i: tensor<i32>, %v: tensor<3x3xf32>):
    %more = tg.compare lt, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<3x3xf32>):
    %one = tg.constant dense<1> : tensor<i32>
    %t = tg.tanh %a : tensor<3x3xf32>
    %p = tg.matmul %t, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %o = tg.matmul %c, %r : (tensor<3x1xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    %g = tg.gather %a, %rows : (tensor<3x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
    %u = tg.add %v, %p : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %w = tg.mul %u, %o : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %z = tg.mul %w, %g : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %j = tg.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tg.yield %j, %z : tensor<i32>, tensor<3x3xf32>
  }
  return %y : tensor<3x3xf32>
}

// -----

// A condition is evaluated at least once.
// CHECK-LABEL: func.func @condition
// CHECK: tg.reduce_sum
// CHECK-NOT: tg.if
// CHECK: tg.while
// CHECK-NOT: tg.reduce_sum
// CHECK: return
func.func @condition(%a: tensor<?xf32> {tg.name = "a"}, %x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %y = tg.while inits(%x) : (tensor<f32>) -> tensor<f32> cond {
  ^bb0(%v: tensor<f32>):
    %limit = tg.reduce_sum %a : (tensor<?xf32>) -> tensor<f32>
    %more = tg.compare lt, %v, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%v: tensor<f32>):
    %u = tg.add %v, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %u : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// A condition with a side effect is not evaluated twice.
// CHECK-LABEL: func.func @effect
// CHECK-NOT: tg.if
// CHECK: } do {
// CHECK: tg.reduce_sum
// CHECK: return
func.func @effect(%a: tensor<4xf32> {tg.name = "a"}, %x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %y = tg.while inits(%x) : (tensor<f32>) -> tensor<f32> cond {
  ^bb0(%v: tensor<f32>):
    tg.print "v", %v : tensor<f32>
    %more = tg.compare lt, %v, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%v: tensor<f32>):
    %s = tg.reduce_sum %a : (tensor<4xf32>) -> tensor<f32>
    %u = tg.add %v, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %u : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// Invariants leave all loops that do not change them, guarded by the
// conjunction of the first conditions. An inner loop whose condition depends on
// the outer one keeps its invariants.
// CHECK-LABEL: func.func @nested
// CHECK: %[[RUNS:.*]] = tg.compare lt
// CHECK: %[[BOTH:.*]] = tg.and %[[RUNS]], %[[RUNS]]
// CHECK: %[[P:.*]] = tg.if %[[BOTH]] : (tensor<i1>) -> tensor<3x3xf32> {
// CHECK-NEXT: tg.tanh
// CHECK-NEXT: tg.matmul
// CHECK: tg.while
// CHECK: } do {
// CHECK-NOT: tg.matmul
// CHECK: tg.while
// CHECK: } do {
// CHECK: tg.matmul %{{.*}}, %[[P]]
// CHECK: %[[AGAIN:.*]] = tg.compare lt, %{{.*}}, %arg0
// CHECK: tg.if %[[AGAIN]]
// CHECK-NEXT: tg.matmul
// CHECK: tg.while
// CHECK-NOT: tg.matmul
// CHECK: return
func.func @nested(%n: tensor<i32> {tg.name = "n"}, %a: tensor<3x3xf32> {tg.name = "a"}, %x: tensor<3x3xf32> {tg.name = "x"}) -> (tensor<3x3xf32> {tg.name = "y"}) {
  %zero = tg.constant dense<0> : tensor<i32>
  %one = tg.constant dense<1> : tensor<i32>
  %i, %y = tg.while inits(%zero, %x) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>) cond {
  ^bb0(%i: tensor<i32>, %v: tensor<3x3xf32>):
    %more = tg.compare lt, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<3x3xf32>):
    %next = tg.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g, %z = tg.while inits(%zero, %v) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>) cond {
    ^bb0(%j: tensor<i32>, %w: tensor<3x3xf32>):
      %most = tg.compare lt, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tg.yield %most : tensor<i1>
    } do {
    ^bb0(%j: tensor<i32>, %w: tensor<3x3xf32>):
      %t = tg.tanh %a : tensor<3x3xf32>
      %p = tg.matmul %t, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %q = tg.matmul %w, %p : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %k = tg.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tg.yield %k, %q : tensor<i32>, tensor<3x3xf32>
    }
    %l, %u = tg.while inits(%i, %z) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>) cond {
    ^bb0(%j: tensor<i32>, %w: tensor<3x3xf32>):
      %most = tg.compare lt, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tg.yield %most : tensor<i1>
    } do {
    ^bb0(%j: tensor<i32>, %w: tensor<3x3xf32>):
      %p = tg.matmul %a, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %q = tg.add %w, %p : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %k = tg.add %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tg.yield %k, %q : tensor<i32>, tensor<3x3xf32>
    }
    tg.yield %next, %u : tensor<i32>, tensor<3x3xf32>
  }
  return %y : tensor<3x3xf32>
}

// -----

// Invariants of a branch leave the loop if the branch condition is invariant;
// constants stay constants.
// CHECK-LABEL: func.func @branches
// CHECK: tg.if %arg0 : (tensor<i1>) -> tensor<3x3xf32> {
// CHECK-NEXT: tg.mul
// CHECK-NEXT: tg.matmul
// CHECK: %[[ELSE:.*]] = tg.not %arg0
// CHECK: tg.if %[[ELSE]] : (tensor<i1>) -> tensor<3x3xf32> {
// CHECK-NEXT: tg.tanh
// CHECK-NEXT: tg.matmul
// CHECK: tg.scan
// CHECK: tg.if %arg0
// CHECK-NOT: tg.matmul
// CHECK: tg.compare
// CHECK-NEXT: tg.if
// CHECK-NEXT: tg.matmul
// CHECK: return
func.func @branches(%p: tensor<i1> {tg.name = "p"}, %a: tensor<3x3xf32> {tg.name = "a"}, %x: tensor<?xf32> {tg.name = "x"}, %h: tensor<3x3xf32> {tg.name = "h"}) -> (tensor<3x3xf32> {tg.name = "y"}) {
  %y = tg.scan inits(%h) inputs(%x) : (tensor<3x3xf32>, tensor<?xf32>) -> tensor<3x3xf32> {
  ^bb0(%v: tensor<3x3xf32>, %e: tensor<f32>):
    %u = tg.if %p : (tensor<i1>) -> tensor<3x3xf32> {
      %half = tg.constant dense<0.5> : tensor<f32>
      %b = tg.mul %a, %half : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
      %m = tg.matmul %b, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %k = tg.mul %v, %half : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
      %s = tg.add %m, %k : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      tg.yield %s : tensor<3x3xf32>
    } else {
      %t = tg.tanh %a : tensor<3x3xf32>
      %m = tg.matmul %a, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %s = tg.mul %m, %v : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      tg.yield %s : tensor<3x3xf32>
    }
    %zero = tg.constant dense<0.0> : tensor<f32>
    %c = tg.compare lt, %e, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %w = tg.if %c : (tensor<i1>) -> tensor<3x3xf32> {
      %m = tg.matmul %h, %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %s = tg.add %m, %u : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      tg.yield %s : tensor<3x3xf32>
    } else {
      tg.yield %u : tensor<3x3xf32>
    }
    tg.yield %w : tensor<3x3xf32>
  }
  return %y : tensor<3x3xf32>
}

// -----

// An invariant loop is hoisted as a whole.
// CHECK-LABEL: func.func @whole
// CHECK: tg.scan inits(%arg0) inputs(%arg1)
// CHECK: tg.scan
// CHECK-NOT: tg.scan
// CHECK: return
func.func @whole(%h: tensor<4xf32> {tg.name = "h"}, %x: tensor<?x4xf32> {tg.name = "x"}, %z: tensor<?x4xf32> {tg.name = "z"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.scan inits(%h) inputs(%z) : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>, %e: tensor<4xf32>):
    %s = tg.scan inits(%h) inputs(%x) : (tensor<4xf32>, tensor<?x4xf32>) -> tensor<4xf32> {
    ^bb0(%w: tensor<4xf32>, %d: tensor<4xf32>):
      %t = tg.mul %w, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      tg.yield %t : tensor<4xf32>
    }
    %r = tg.mul %v, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %q = tg.mul %r, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %q : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// An op that compares dynamic extents runs only if a step runs.
// CHECK-LABEL: func.func @compares
// CHECK-NOT: tg.matmul
// CHECK: tg.scan
// CHECK: tg.matmul
// CHECK: return
func.func @compares(%x: tensor<?xf32> {tg.name = "x"}, %s: tensor<?x?xf32> {tg.name = "s"}, %a: tensor<?x?xf32> {tg.name = "a"}) -> (tensor<f32> {tg.name = "y"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %y = tg.scan inits(%zero) inputs(%x) : (tensor<f32>, tensor<?xf32>) -> tensor<f32> {
  ^bb0(%old: tensor<f32>, %e: tensor<f32>):
    %p = tg.matmul %s, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %q = tg.reduce_sum %p : (tensor<?x?xf32>) -> tensor<f32>
    %r = tg.mul %q, %old : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %new = tg.add %r, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %new : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// The rows that segments scatter move after the loop over the segments if they
// have no more bytes than the sum of the table; otherwise the sum stays.
// CHECK-LABEL: func.func @segments
// CHECK: tg.scan {{.*}} {reverse} : ({{.*}}) -> (tensor<2x3xf32>, tensor<9x3xf32>, tensor<3x2x2x3xf32>
// CHECK: tg.scatter {{.*}} : (tensor<9x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>)
// CHECK: }
// CHECK: tg.scatter {{.*}} : (tensor<12x3xf32>, tensor<3x2x2xi32>, tensor<3x2x2x3xf32>)
// CHECK-NEXT: return
func.func @segments(%i: tensor<6x2xi32> {tg.name = "i"}, %h: tensor<2x3xf32> {tg.name = "h"}, %s: tensor<9x3xf32> {tg.name = "s"}, %t: tensor<12x3xf32> {tg.name = "t"}) -> (tensor<9x3xf32> {tg.name = "gs"}, tensor<12x3xf32> {tg.name = "gt"}) {
  %y = tg.scan inits(%h) inputs(%i) {segments = 3} : (tensor<2x3xf32>, tensor<6x2xi32>) -> tensor<2x3xf32> {
  ^bb0(%old: tensor<2x3xf32>, %e: tensor<2xi32>):
    %r = tg.gather %s, %e : (tensor<9x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    %q = tg.gather %t, %e : (tensor<12x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    %m = tg.mul %old, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %n = tg.mul %m, %q : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    tg.yield %n : tensor<2x3xf32>
  }
  %loss = tg.reduce_sum %y : (tensor<2x3xf32>) -> tensor<f32>
  %g:2 = tg.gradient %loss wrt(%s, %t) : (tensor<f32>, tensor<9x3xf32>, tensor<12x3xf32>) -> (tensor<9x3xf32>, tensor<12x3xf32>)
  return %g#0, %g#1 : tensor<9x3xf32>, tensor<12x3xf32>
}
