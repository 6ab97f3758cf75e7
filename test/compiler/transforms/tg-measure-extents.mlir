// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-measure-extents))' --verify-each | FileCheck %s

// The extent is the sum of the counts of all chunks; each chunk lists its
// elements from its own start.

// CHECK-LABEL: func.func @nonzero
// CHECK: %[[COUNTS:.*]] = tgx.count_true %[[P:.*]] : (tensor<?x4xi1>) -> tensor<?xi64>
// CHECK: %[[COUNT:.*]] = tg.reduce_sum %[[COUNTS]]
// CHECK: tgx.measure %[[COUNT]] as 1 at_most [s0, s1] -> (s0 * 4) {label = "R0", op_name = "tg.nonzero", what = "the extent"}
// CHECK: %[[N:.*]] = tgx.size [s0, s1] -> (s1)
// CHECK: %[[STARTS:.*]] = tg.cumsum %[[COUNTS]] {axis = 0 : i64, exclusive}
// CHECK: %[[Y:.*]] = tgx.list_true %[[P]] from %[[STARTS]] count %[[N]] : (tensor<?x4xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x2xi64>
// CHECK: return %[[Y]]
func.func @nonzero(%p: tensor<?x4xi1> {tg.name = "p"}) -> (tensor<?x2xi64> {tg.name = "y"}) {
  %y = tg.nonzero %p : (tensor<?x4xi1>) -> tensor<?x2xi64>
  return %y : tensor<?x2xi64>
}

// -----

// A data-dependent size is measured where it is used: a branch that does not
// run cannot fail.

// CHECK-LABEL: func.func @branch
// CHECK-NOT: tgx.measure
// CHECK: tg.if
// CHECK: tgx.measure %[[K:.*]] as 1 at_most
// CHECK: %[[N:.*]] = tgx.size [s0, s1] -> (s1)
// CHECK: tg.slice %{{.*}}, %[[N]]
// CHECK: } else {
func.func @branch(%p: tensor<i1> {tg.name = "p"}, %x: tensor<?xf32> {tg.name = "x"}, %k: tensor<i64> {tg.name = "k"}) -> (tensor<f32> {tg.name = "y"}) {
  %y = tg.if %p : (tensor<i1>) -> tensor<f32> {
    %s = tg.slice %x, %k {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
    %a = tg.reduce_sum %s : (tensor<?xf32>) -> tensor<f32>
    tg.yield %a : tensor<f32>
  } else {
    %b = tg.reduce_sum %x : (tensor<?xf32>) -> tensor<f32>
    tg.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// A growing tensor is carried in a buffer of its upper bound, along with its
// extent.

// CHECK-LABEL: func.func @grows
// CHECK: %[[R:.*]]:3 = tg.while inits(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<i1>, tensor<64xi32>, tensor<i64>)
// CHECK: ^bb0(%{{.*}}: tensor<i1>, %[[ROOM:.*]]: tensor<64xi32>, %[[N:.*]]: tensor<i64>):
// CHECK: tgx.measure %[[N]] as {{[0-9]+}} at_most {{.*}} -> (64)
// CHECK: tg.slice %[[ROOM]]
// CHECK: tg.concat
// CHECK: %[[NEXT:.*]] = tg.update_slice %[[ROOM]]
// CHECK: tg.yield %{{.*}}, %[[NEXT]], %{{.*}} : tensor<i1>, tensor<64xi32>, tensor<i64>
// CHECK: tgx.measure %[[R]]#2
func.func @grows(%p: tensor<i1> {tg.name = "p"}, %x: tensor<1xi32> {tg.name = "x"}) -> (tensor<?xi32> {tg.name = "y"}) {
  %x0 = tg.ensure_shape %x {shape = [-1]} : (tensor<1xi32>) -> tensor<?xi32>
  %q, %y = tg.while inits(%p, %x0) : (tensor<i1>, tensor<?xi32>) -> (tensor<i1>, tensor<?xi32>) cond {
  ^bb0(%flag: tensor<i1>, %v: tensor<?xi32>):
    tg.yield %flag : tensor<i1>
  } do {
  ^bb0(%flag: tensor<i1>, %v: tensor<?xi32>):
    %stop = tg.not %flag : tensor<i1>
    %all = tg.concat %v, %x {axis = 0} : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
    %u = tg.ensure_shape %all {bounds = [64], shape = [-1]} : (tensor<?xi32>) -> tensor<?xi32>
    tg.yield %stop, %u : tensor<i1>, tensor<?xi32>
  }
  return %y : tensor<?xi32>
}

// -----

// An equality that is checked inside a region is not a data-dependent extent:
// the extent of the result is the extent in the other region, or before the
// first iteration.

// CHECK-LABEL: func.func @checked
// CHECK-NOT: tgx.measure
// CHECK: return
func.func @checked(%p: tensor<i1> {tg.name = "p"}, %x: tensor<?xf32> {tg.name = "x"}, %z: tensor<?xf32> {tg.name = "z"}) -> (tensor<?xf32> {tg.name = "a"}, tensor<?xf32> {tg.name = "b"}) {
  %a = tg.if %p : (tensor<i1>) -> tensor<?xf32> {
    %m = tg.mul %z, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tg.yield %m : tensor<?xf32>
  } else {
    tg.yield %x : tensor<?xf32>
  }
  %b = tg.while inits(%x) {max_trip = 2} : (tensor<?xf32>) -> tensor<?xf32> cond {
  ^bb0(%v: tensor<?xf32>):
    tg.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<?xf32>):
    %m = tg.mul %z, %v : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tg.yield %m : tensor<?xf32>
  }
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
