// RUN: tgc-opt --split-input-file --tg-update-rows %s | FileCheck %s

tg.variable @w : tensor<1000x8xf32>

// Plain gradient descent scatters the rows into the table itself.
// CHECK-LABEL: func @plain
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi32>, %[[G:[a-z0-9]+]]: tensor<4x8xf32>, %[[RATE:[a-z0-9]+]]: tensor<f32>
func.func @plain(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %rate: tensor<f32>) {
  // CHECK: %[[W:.*]] = tg.read @w : tensor<1000x8xf32>
  %w = tg.read @w : tensor<1000x8xf32>
  // CHECK-NOT: tensor<1000x8xf32>
  // CHECK: %[[STEP:.*]] = tg.mul %[[G]], %[[RATE]]
  // CHECK: %[[ROWS:.*]] = tg.sub %{{.*}}, %[[STEP]] : (tensor<4x8xf32>, tensor<4x8xf32>)
  // CHECK: %[[NEW:.*]] = tg.scatter %[[W]], %[[I]], %[[ROWS]] :
  // CHECK: tg.assign @w, %[[NEW]]
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %sum = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %step = tg.mul %sum, %rate : (tensor<1000x8xf32>, tensor<f32>) -> tensor<1000x8xf32>
  %new = tg.sub %w, %step : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %new : tensor<1000x8xf32>
  return
}

// -----

tg.variable @w : tensor<1000x8xf32>
tg.variable @s : tensor<1000x8xf32>

// Adagrad is not linear: equal rows are summed first, then the rows are
// replaced.
// CHECK-LABEL: func @adagrad
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?x2xi32>
func.func @adagrad(%i: tensor<?x2xi32>, %g: tensor<?x2x8xf32>) {
  // CHECK-DAG: %[[W:.*]] = tg.read @w
  // CHECK-DAG: %[[S:.*]] = tg.read @s
  // CHECK-DAG: %[[LIST:.*]] = tg.reshape %[[I]] {shape = [-1]}
  // CHECK-DAG: %[[U:.*]] = tg.reshape %{{.*}} {shape = [-1, 8]}
  // CHECK: %[[FIRST:.*]] = tgx.first_equal %[[LIST]]
  // CHECK: %[[SUMS:.*]] = tg.scatter %{{.*}}, %[[FIRST]], %[[U]]
  // CHECK: %[[ALL:.*]] = tg.gather %[[SUMS]], %[[FIRST]]
  // CHECK: %[[SQUARE:.*]] = tg.mul %[[ALL]], %[[ALL]]
  // CHECK: %[[OLD:.*]] = tg.gather %[[S]], %[[LIST]]
  // CHECK: %[[SUM:.*]] = tg.add %[[OLD]], %[[SQUARE]]
  // CHECK: %[[ROOT:.*]] = tg.sqrt %[[SUM]]
  // CHECK: %[[STEP:.*]] = tg.div %[[ALL]], %[[ROOT]]
  // CHECK: %[[ROWS:.*]] = tg.gather %[[W]], %[[LIST]]
  // CHECK: %[[MOVED:.*]] = tg.sub %[[ROWS]], %[[STEP]]
  // CHECK-DAG: tg.scatter %[[W]], %[[LIST]], %[[MOVED]] {combine = "set"}
  // CHECK-DAG: tg.scatter %[[S]], %[[LIST]], %[[SUM]] {combine = "set"}
  %w = tg.read @w : tensor<1000x8xf32>
  %s = tg.read @s : tensor<1000x8xf32>
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %d = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<?x2xi32>, tensor<?x2x8xf32>) -> tensor<1000x8xf32>
  %square = tg.mul %d, %d : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %sum = tg.add %s, %square : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %root = tg.sqrt %sum : tensor<1000x8xf32>
  %step = tg.div %d, %root : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %new = tg.sub %w, %step : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %new : tensor<1000x8xf32>
  tg.assign @s, %sum : tensor<1000x8xf32>
  return
}

// -----

tg.variable @w : tensor<1000x8xf32>

// The norm of a gradient is computed from the sums of equal rows, each once.
// CHECK-LABEL: func @clipped
func.func @clipped(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %most: tensor<f32>) {
  // CHECK: %[[SUMS:.*]] = tg.scatter %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4xi64>, tensor<4x8xf32>)
  // CHECK: %[[SQUARE:.*]] = tg.mul %[[SUMS]], %[[SUMS]]
  // CHECK: tg.reduce_sum %[[SQUARE]] : (tensor<4x8xf32>) -> tensor<f32>
  // CHECK: tg.mul %[[SUMS]], %{{.*}} : (tensor<4x8xf32>, tensor<f32>)
  // CHECK: tg.scatter %{{.*}} : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  // CHECK-NOT: 1000x8xf32
  // CHECK: tg.assign
  %w = tg.read @w : tensor<1000x8xf32>
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %d = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %square = tg.mul %d, %d : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %sum = tg.reduce_sum %square : (tensor<1000x8xf32>) -> tensor<f32>
  %norm = tg.sqrt %sum : tensor<f32>
  %larger = tg.maximum %norm, %most : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %factor = tg.div %most, %larger : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %step = tg.mul %d, %factor : (tensor<1000x8xf32>, tensor<f32>) -> tensor<1000x8xf32>
  %new = tg.sub %w, %step : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %new : tensor<1000x8xf32>
  return
}

// -----

tg.variable @w : tensor<1000x8xf32>

// Two lookups are combined; indices of two types are converted to the wider
// one.
// CHECK-LABEL: func @two_lookups
func.func @two_lookups(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %j: tensor<3xi64>, %h: tensor<3x8xf32>) {
  // CHECK: %[[ALL:.*]] = tg.concat %{{.*}}, %{{.*}} : (tensor<4xi64>, tensor<3xi64>) -> tensor<7xi64>
  // CHECK: tg.scatter %{{.*}}, %[[ALL]], %{{.*}} : (tensor<1000x8xf32>, tensor<7xi64>, tensor<7x8xf32>)
  // CHECK-NOT: tg.scatter
  // CHECK: tg.assign
  %w = tg.read @w : tensor<1000x8xf32>
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %a = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %b = tg.scatter %none, %j, %h : (tensor<1000x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<1000x8xf32>
  %sum = tg.add %a, %b : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %new = tg.sub %w, %sum : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %new : tensor<1000x8xf32>
  return
}

// -----

tg.variable @w : tensor<1000x8xf32>

// A decaying slot changes in all rows; the gradient rows are scattered into the
// decayed table.
// CHECK-LABEL: func @momentum
func.func @momentum(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %kept: tensor<f32>) {
  // CHECK: %[[DECAYED:.*]] = tg.mul
  // CHECK: %[[MOVED:.*]] = tg.scatter %[[DECAYED]], %{{.*}}, %{{.*}}
  // CHECK: tg.assign @w, %[[MOVED]]
  %w = tg.read @w : tensor<1000x8xf32>
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %d = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %decayed = tg.mul %w, %kept : (tensor<1000x8xf32>, tensor<f32>) -> tensor<1000x8xf32>
  %moved = tg.add %decayed, %d : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %moved : tensor<1000x8xf32>
  return
}

// -----

tg.variable @w : tensor<6x8xf32>

// Summing more indices than half the rows would cost more than updating all
// rows.
// CHECK-LABEL: func @small_table
func.func @small_table(%i: tensor<4xi32>, %g: tensor<4x8xf32>) {
  // CHECK-NOT: first_equal
  // CHECK: tg.abs %{{.*}} : tensor<6x8xf32>
  %w = tg.read @w : tensor<6x8xf32>
  %none = tg.constant dense<0.0> : tensor<6x8xf32>
  %d = tg.scatter %none, %i, %g : (tensor<6x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %size = tg.abs %d : tensor<6x8xf32>
  %new = tg.sub %w, %size : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  tg.assign @w, %new : tensor<6x8xf32>
  return
}

// -----

tg.variable @w : tensor<1000x8xf32>

// A table that an output needs stays whole, and so does the operand of an exp,
// which is 1 in rows without a gradient.
// CHECK-LABEL: func @all_rows
func.func @all_rows(%i: tensor<4xi32>, %g: tensor<4x8xf32>) -> (tensor<1000x8xf32>, tensor<f32>) {
  // CHECK: %[[D:.*]] = tg.scatter
  // CHECK: tg.sub %{{.*}}, %[[D]] : (tensor<1000x8xf32>, tensor<1000x8xf32>)
  // CHECK: %[[E:.*]] = tg.scatter
  // CHECK: tg.exp %[[E]] : tensor<1000x8xf32>
  %w = tg.read @w : tensor<1000x8xf32>
  %none = tg.constant dense<0.0> : tensor<1000x8xf32>
  %d = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %new = tg.sub %w, %d : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
  tg.assign @w, %new : tensor<1000x8xf32>
  %e = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
  %powers = tg.exp %e : tensor<1000x8xf32>
  %sum = tg.reduce_sum %powers : (tensor<1000x8xf32>) -> tensor<f32>
  return %d, %sum : tensor<1000x8xf32>, tensor<f32>
}

// -----

// Rows are scattered directly into a sum that a loop carries.
// CHECK-LABEL: func @loop
func.func @loop(%i: tensor<3x4xi32>, %g: tensor<3x4x8xf32>, %x: tensor<1000x8xf32>) -> tensor<1000x8xf32> {
  // CHECK: ^bb0(%[[SUM:.*]]: tensor<1000x8xf32>, %[[J:.*]]: tensor<4xi32>, %[[H:.*]]: tensor<4x8xf32>):
  // CHECK-NEXT: %[[MORE:.*]] = tg.scatter %[[SUM]], %[[J]], %[[H]]
  // CHECK-NEXT: tg.yield %[[MORE]]
  %y = tg.scan inits(%x) inputs(%i, %g) : (tensor<1000x8xf32>, tensor<3x4xi32>, tensor<3x4x8xf32>) -> tensor<1000x8xf32> {
  ^bb0(%sum: tensor<1000x8xf32>, %j: tensor<4xi32>, %h: tensor<4x8xf32>):
    %none = tg.constant dense<0.0> : tensor<1000x8xf32>
    %d = tg.scatter %none, %j, %h : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
    %more = tg.add %sum, %d : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
    tg.yield %more : tensor<1000x8xf32>
  }
  return %y : tensor<1000x8xf32>
}
