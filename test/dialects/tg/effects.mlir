// The effect of MLIR's own passes on state, gradients and random samples.
// RUN: tgc-opt %s --canonicalize --cse | FileCheck %s

tg.variable @w {trainable} : tensor<4xf32>

// CHECK-LABEL: func @reads_merge_between_assigns
func.func @reads_merge_between_assigns(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[OLD:.*]] = tg.read @w
  // CHECK-NEXT: tg.assign @w
  // CHECK-NEXT: %[[NEW:.*]] = tg.read @w
  // CHECK-NEXT: return %[[OLD]], %[[OLD]], %[[NEW]]
  %0 = tg.read @w : tensor<4xf32>
  %1 = tg.read @w : tensor<4xf32>
  tg.assign @w, %x : tensor<4xf32>
  %2 = tg.read @w : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @updates_separate_reads
func.func @updates_separate_reads() -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[OLD:.*]] = tg.read @w
  // CHECK: tg.update
  // CHECK: %[[NEW:.*]] = tg.read @w
  // CHECK: return %[[OLD]], %[[NEW]]
  %0 = tg.read @w : tensor<4xf32>
  tg.update [[@w]] : () -> () {
  ^bb0(%weight: tensor<f32>):
    %less = tg.neg %weight : tensor<f32>
    tg.yield %less : tensor<f32>
  }
  %1 = tg.read @w : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @what_nothing_needs_goes
func.func @what_nothing_needs_goes(%loss: tensor<f32>, %seed: tensor<i64>) {
  // CHECK-NEXT: return
  %0 = tg.read @w : tensor<4xf32>
  %1 = tg.gradient %loss wrt(%loss) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = tg.random_uniform %seed, %seed {shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  %3 = tg.slice %0, %seed {sizes = [1], starts = [-1]} : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return
}

// Two random ops with equal operands and attributes yield the same samples.
// CHECK-LABEL: func @equal_draws_merge
func.func @equal_draws_merge(%seed: tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[A:.*]] = tg.random_uniform %{{.*}} stream = 0
  // CHECK: %[[B:.*]] = tg.random_uniform %{{.*}} stream = 1
  // CHECK: return %[[A]], %[[A]], %[[B]]
  %0 = tg.random_uniform %seed, %seed {shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  %1 = tg.random_uniform %seed, %seed {shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  %2 = tg.random_uniform %seed, %seed {shape = [4], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Host calls with effects stay in order; pure ones behave like values.
// CHECK-LABEL: func @host_calls
func.func @host_calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: tg.host_call "log"
  // CHECK-NEXT: tg.print "x"
  // CHECK-NEXT: tg.host_call "log"
  // CHECK-NEXT: %[[Y:.*]] = tg.host_call "relu"(%{{.*}}) {pure}
  // CHECK-NEXT: return %[[Y]], %[[Y]]
  %0 = tg.host_call "log"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  tg.print "x", %x : tensor<4xf32>
  %1 = tg.host_call "log"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tg.host_call "relu"(%x) {pure} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = tg.host_call "relu"(%x) {pure} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = tg.host_call "unused"(%x) {pure} : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @asserts_stay
func.func @asserts_stay(%ok: tensor<i1>) {
  // CHECK-NEXT: tg.assert
  // CHECK-NEXT: tg.assert
  tg.assert %ok, "it holds" : tensor<i1>
  tg.assert %ok, "it holds" : tensor<i1>
  return
}
