// RUN: tgc-opt %s --tg-expand-gradients --split-input-file --verify-diagnostics

func.func @gradient_c5_unbounded(%x: tensor<4xf32> {tg.name = "x"}, %limit: tensor<f32> {tg.name = "limit"}) -> (tensor<4xf32> {tg.name = "g"}) {
  // expected-error @+1 {{'tg.while' op expected max_trip, found none: a gradient passes through this loop, and saves the values of at most max_trip iterations [C5]}}
  %y = tg.while inits(%x) : (tensor<4xf32>) -> tensor<4xf32> cond {
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

tg.variable @w {trainable} : tensor<4xf32>
func.func @gradient_c5_assigned_by_step(%x: tensor<3x4xf32> {tg.name = "x"}, %h: tensor<4xf32> {tg.name = "h"}) -> (tensor<4xf32> {tg.name = "g"}) {
  %y = tg.scan inits(%h) inputs(%x) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>, %in: tensor<4xf32>):
    // expected-error @+1 {{'tg.read' op expected no tg.assign of @w in a branch or loop, because a gradient passes through this read; a carried value or tg.stop_gradient avoids this [C5]}}
    %w = tg.read @w : tensor<4xf32>
    %m = tg.mul %v, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    // expected-note @+1 {{assigned here}}
    tg.assign @w, %m : tensor<4xf32>
    tg.yield %m : tensor<4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l variables [@w] : (tensor<f32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

tg.variable @w {trainable} : tensor<4xf32>
func.func @gradient_c5_assigned_by_branch(%p: tensor<i1> {tg.name = "p"}, %x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "g"}) {
  tg.if %p : (tensor<i1>) -> () {
    // expected-note @+1 {{assigned here}}
    tg.assign @w, %x : tensor<4xf32>
  } else {
  }
  // expected-error @+1 {{'tg.read' op expected no tg.assign of @w in a branch or loop}}
  %w = tg.read @w : tensor<4xf32>
  %l = tg.reduce_sum %w : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// Ops without a gradient are diagnosed inside regions as well.
tg.variable @w {trainable} : tensor<4xf32>
func.func @gradient_c5_read_after_update(%p: tensor<i1> {tg.name = "p"}) -> (tensor<4xf32> {tg.name = "g"}) {
  // expected-note @+1 {{updated here}}
  tg.update [[@w]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %new = tg.neg %old : tensor<f32>
    tg.yield %new : tensor<f32>
  }
  %y = tg.if %p : (tensor<i1>) -> tensor<4xf32> {
    // expected-error @+1 {{expected no tg.update of @w before this read, because a gradient passes through it}}
    %r = tg.read @w : tensor<4xf32>
    tg.yield %r : tensor<4xf32>
  } else {
    %c = tg.constant dense<0.0> : tensor<4xf32>
    tg.yield %c : tensor<4xf32>
  }
  %l = tg.reduce_sum %y : (tensor<4xf32>) -> tensor<f32>
  %g = tg.gradient %l variables [@w] : (tensor<f32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
