// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-lift-state))' --verify-each | FileCheck %s

// A variable that a loop assigns is carried and assigned after the loop; a
// variable that a loop only reads is read before it.

// CHECK-LABEL: func.func @loop
// CHECK: %[[N:.*]] = tg.read @n
// CHECK: %[[W:.*]] = tg.read @w
// CHECK: %[[END:.*]] = tg.scan inits(%[[N]]) inputs(%{{.*}}) : (tensor<f32>, tensor<?xf32>) -> tensor<f32> {
// CHECK: ^bb0(%[[OLD:.*]]: tensor<f32>, %[[ITEM:.*]]: tensor<f32>):
// CHECK-NEXT: %[[P:.*]] = tg.mul %[[ITEM]], %[[W]]
// CHECK-NEXT: %[[M:.*]] = tg.add %[[OLD]], %[[P]]
// CHECK-NEXT: tg.yield %[[M]]
// CHECK: tg.assign @n, %[[END]]
tg.variable @n : tensor<f32>
tg.variable @w : tensor<f32>
func.func @loop(%x: tensor<?xf32> {tg.name = "x"}) {
  tg.scan inputs(%x) : (tensor<?xf32>) -> () {
  ^bb0(%item: tensor<f32>):
    %n = tg.read @n : tensor<f32>
    %w = tg.read @w : tensor<f32>
    %p = tg.mul %item, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %m = tg.add %n, %p : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.assign @n, %m : tensor<f32>
    tg.yield
  }
  return
}

// -----

// The condition of a loop is carried, together with the variables that it
// reads.

// CHECK-LABEL: func.func @condition
// CHECK: %[[OLD:.*]] = tg.read @n
// CHECK: %[[FIRST:.*]] = tg.compare lt, %[[OLD]], %[[LIMIT:.*]] :
// CHECK: %[[HELD:.*]] = tg.read @n
// CHECK: %[[RESULTS:.*]]:2 = tg.while inits(%[[FIRST]], %[[HELD]])
// CHECK: ^bb0(%[[FLAG:.*]]: tensor<i1>, %{{.*}}: tensor<i32>):
// CHECK-NEXT: tg.yield %[[FLAG]] : tensor<i1>
// CHECK: ^bb0(%{{.*}}: tensor<i1>, %[[N:.*]]: tensor<i32>):
// CHECK-NEXT: %[[MORE:.*]] = tg.add %[[N]], %[[N]]
// CHECK-NEXT: %[[NEXT:.*]] = tg.compare lt, %[[MORE]], %[[LIMIT]]
// CHECK-NEXT: tg.yield %[[NEXT]], %[[MORE]]
// CHECK: tg.assign @n, %[[RESULTS]]#1
tg.variable @n : tensor<i32>
func.func @condition(%limit: tensor<i32> {tg.name = "limit"}) {
  tg.while : () -> () cond {
    %n = tg.read @n : tensor<i32>
    %p = tg.compare lt, %n, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tg.yield %p : tensor<i1>
  } do {
    %n = tg.read @n : tensor<i32>
    %m = tg.add %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tg.assign @n, %m : tensor<i32>
    tg.yield
  }
  return
}
