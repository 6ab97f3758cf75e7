// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-lift-state,tg-prepare-kernels))' | FileCheck %s

// An update is expanded to its body on whole tensors; a later read yields the
// new value.

// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[G:[a-z0-9_]+]]: tensor<4xf32>
// CHECK: %[[OLD:[a-z0-9_]+]] = tg.read @w
// CHECK-NEXT: %[[NEW:[a-z0-9_]+]] = tg.sub %[[OLD]], %[[G]]
// CHECK-NEXT: tg.assign @w, %[[NEW]]
// CHECK-NEXT: return %[[NEW]]
tg.variable @w {trainable} : tensor<4xf32>
func.func @step(%g: tensor<4xf32> {tg.name = "g"}) -> (tensor<4xf32> {tg.name = "w"}) {
  tg.update [[@w]] inputs(%g) : (tensor<4xf32>) -> () {
  ^bb0(%weight: tensor<f32>, %grad: tensor<f32>):
    %0 = tg.sub %weight, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %0 : tensor<f32>
  }
  %new = tg.read @w : tensor<4xf32>
  return %new : tensor<4xf32>
}

// -----

// Only the last of two assigns remains; the read between them yields the first
// value.

// CHECK-LABEL: func.func @assign_twice
// CHECK-SAME: (%[[A:[a-z0-9_]+]]: tensor<f32> {{.*}}, %[[B:[a-z0-9_]+]]: tensor<f32>
// CHECK-NEXT: tg.assign @v, %[[B]]
// CHECK-NEXT: return %[[A]]
tg.variable @v : tensor<f32>
func.func @assign_twice(%a: tensor<f32> {tg.name = "a"}, %b: tensor<f32> {tg.name = "b"}) -> (tensor<f32> {tg.name = "between"}) {
  tg.assign @v, %a : tensor<f32>
  %between = tg.read @v : tensor<f32>
  tg.assign @v, %b : tensor<f32>
  return %between : tensor<f32>
}

// -----

// A check precedes an op that can fail; its bound is the extent of the table.

// CHECK-LABEL: func.func @lookup
// CHECK: %[[GOOD:[a-z0-9_]+]] = tgx.check_index %{{.*}} below [s0] -> (10) {op_name = "tg.gather"}
// CHECK: tg.gather %{{.*}}, %[[GOOD]]
func.func @lookup(%table: tensor<10x2xf32> {tg.name = "table"}, %i: tensor<?xi32> {tg.name = "i"}) -> (tensor<?x2xf32> {tg.name = "y"}) {
  %0 = tg.gather %table, %i : (tensor<10x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// Indices that are in range by construction are not checked: the coordinates of
// elements, used for a tensor with the same extents.

// CHECK-LABEL: func.func @places
// CHECK-NOT: tgx.check_index
// CHECK: tg.gather
// CHECK: tgx.check_index %{{.*}} below [s0] -> (5)
// CHECK: tg.gather
func.func @places(%p: tensor<10xi1> {tg.name = "p"}, %starts: tensor<1xi64> {tg.name = "s"}, %like: tensor<?xf32> {tg.name = "like"}, %x: tensor<10x2xf32> {tg.name = "x"}, %z: tensor<5xf32> {tg.name = "z"})
    -> (tensor<?x2xf32> {tg.name = "y"}, tensor<?xf32> {tg.name = "w"}) {
  %n = tg.dim %like {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %i = tgx.list_true %p from %starts count %n : (tensor<10xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = tg.gather %x, %j : (tensor<10x2xf32>, tensor<?xi64>) -> tensor<?x2xf32>
  %w = tg.gather %z, %j : (tensor<5xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %y, %w : tensor<?x2xf32>, tensor<?xf32>
}

// -----

// A gather of elements by the coordinates of a mask becomes a tgx.take_true,
// and the coordinate list becomes dead. A gather of rows, and coordinates with
// two users, keep the list.

// CHECK-LABEL: func.func @taken
// CHECK-SAME: (%[[P:[a-z0-9]+]]: tensor<10xi1> {{{.*}}}, %[[S:[a-z0-9]+]]: tensor<1xi64> {{{.*}}}, %{{.*}}: tensor<?xf32> {{{.*}}}, %[[X:[a-z0-9]+]]: tensor<10xf32>
// CHECK: %[[N:.*]] = tgx.size
// CHECK-NOT: tg.gather
// CHECK: %[[Y:.*]] = tgx.take_true %[[X]] where %[[P]] from %[[S]] count %[[N]]
// CHECK: return %[[Y]]
func.func @taken(%p: tensor<10xi1> {tg.name = "p"}, %starts: tensor<1xi64> {tg.name = "s"}, %like: tensor<?xf32> {tg.name = "like"}, %x: tensor<10xf32> {tg.name = "x"})
    -> (tensor<?xf32> {tg.name = "y"}) {
  %n = tg.dim %like {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %i = tgx.list_true %p from %starts count %n : (tensor<10xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = tg.gather %x, %j : (tensor<10xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @taken_rows
// CHECK: tg.gather
func.func @taken_rows(%p: tensor<10xi1> {tg.name = "p"}, %starts: tensor<1xi64> {tg.name = "s"}, %like: tensor<?xf32> {tg.name = "like"}, %x: tensor<10x2xf32> {tg.name = "x"})
    -> (tensor<?x2xf32> {tg.name = "y"}) {
  %n = tg.dim %like {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %i = tgx.list_true %p from %starts count %n : (tensor<10xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = tg.gather %x, %j : (tensor<10x2xf32>, tensor<?xi64>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @taken_twice
// CHECK-COUNT-2: tg.gather
func.func @taken_twice(%p: tensor<10xi1> {tg.name = "p"}, %starts: tensor<1xi64> {tg.name = "s"}, %like: tensor<?xf32> {tg.name = "like"}, %x: tensor<10xf32> {tg.name = "x"}, %z: tensor<10xf32> {tg.name = "z"})
    -> (tensor<?xf32> {tg.name = "y"}, tensor<?xf32> {tg.name = "w"}) {
  %n = tg.dim %like {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %i = tgx.list_true %p from %starts count %n : (tensor<10xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = tg.gather %x, %j : (tensor<10xf32>, tensor<?xi64>) -> tensor<?xf32>
  %w = tg.gather %z, %j : (tensor<10xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %y, %w : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @divide
// CHECK: %[[GOOD:[a-z0-9_]+]] = tgx.check_divisor %{{.*}} {op_name = "tg.div"}
// CHECK: tg.div %{{.*}}, %[[GOOD]]
func.func @divide(%a: tensor<4xi32> {tg.name = "a"}, %b: tensor<4xi32> {tg.name = "b"}) -> (tensor<4xi32> {tg.name = "y"}) {
  %0 = tg.div %a, %b : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A size that is computed from extents becomes a tgx.size.

// CHECK-LABEL: func.func @count
// CHECK: %[[N:[a-z0-9_]+]] = tgx.size [s0] -> (s0 * 2)
// CHECK: tg.cast %[[N]]
func.func @count(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "n"}) {
  %0 = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %1 = tg.add %0, %0 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %2 = tg.cast %1 {element_type = f32} : (tensor<i64>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// Any nonzero byte of an input boolean is true; outputs contain only 0 and 1.

// CHECK-LABEL: func.func @booleans
// CHECK-SAME: %[[P:.*]]: tensor<4xi1>
// CHECK: %[[SHAPED:.*]] = tg.reshape %[[P]]
// CHECK: %[[OUT:.*]] = tg.and %[[SHAPED]], %[[SHAPED]]
// CHECK: return %[[OUT]]
func.func @booleans(%p: tensor<4xi1> {tg.name = "p"}) -> (tensor<2x2xi1> {tg.name = "y"}) {
  %0 = tg.reshape %p {shape = [2, 2]} : (tensor<4xi1>) -> tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}

// -----

// An init function starts from zeros: it assigns only other values, including
// -0.

// CHECK-LABEL: func.func @init
// CHECK-NOT: tg.assign @zero
// CHECK: tg.assign @minus
// CHECK-NOT: tg.assign @zero
// CHECK: return
tg.variable @zero : tensor<4xf32>
tg.variable @minus : tensor<4xf32>
func.func @init() attributes {tg.role = "init"} {
  %zero = tg.constant dense<0.0> : tensor<4xf32>
  %minus = tg.constant dense<-0.0> : tensor<4xf32>
  tg.assign @zero, %zero : tensor<4xf32>
  tg.assign @minus, %minus : tensor<4xf32>
  return
}

// -----

// A concatenation of many inputs becomes a tree of smaller ones.

// CHECK-LABEL: func.func @concat_many
// CHECK-SAME: (%[[A:[a-z0-9_]+]]: tensor<2x?xf32> {{.*}}, %[[B:[a-z0-9_]+]]: tensor<2x5xf32>
// CHECK: %[[FEW:[a-z0-9_]+]] = tg.concat %[[A]], {{.*}} -> tensor<2x?xf32>
// CHECK-NEXT: %[[ALL:[a-z0-9_]+]] = tg.concat %[[FEW]], %[[B]] {axis = 1
// CHECK-NEXT: return %[[ALL]]
func.func @concat_many(%a: tensor<2x?xf32> {tg.name = "a"}, %b: tensor<2x5xf32> {tg.name = "b"}) -> (tensor<2x?xf32> {tg.name = "y"}) {
  %0 = tg.concat %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %b {axis = 1} : (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x5xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// A 1x1 filter is a matrix. The strides become a slice of the input, or an
// update of a tensor of zeros.

// CHECK-LABEL: func.func @pointwise
// CHECK: %[[MATRIX:.*]] = tg.reshape %{{.*}} {shape = [3, 5]}
// CHECK: %[[PICKED:.*]] = tg.slice %{{.*}} {sizes = [-1, -1, -1, -1], starts = [0, 0, 0, 0], strides = [1, 2, 2, 1]} : (tensor<?x7x8x3xf32>) -> tensor<?x4x4x3xf32>
// CHECK: tg.matmul %[[PICKED]], %[[MATRIX]]
// CHECK: %[[PRODUCT:.*]] = tg.matmul {{.*}} {{{.*}}transpose_rhs}
// CHECK: %[[ZEROS:.*]] = tg.broadcast_to
// CHECK: tg.update_slice %[[ZEROS]], %[[PRODUCT]] {starts = [0, 0, 0, 0], strides = [1, 2, 2, 1]} : (tensor<?x7x8x3xf32>, tensor<?x4x4x3xf32>)
// CHECK: %[[AGAIN:.*]] = tg.slice
// CHECK: %[[ROWS:.*]] = tg.reshape %[[AGAIN]]
// CHECK: tg.matmul %[[ROWS]], %{{.*}} {{{.*}}transpose_lhs}
// CHECK-NOT: tg.conv
func.func @pointwise(%x: tensor<?x7x8x3xf32> {tg.name = "x"}, %w: tensor<1x1x3x5xf32> {tg.name = "w"})
    -> (tensor<?x4x4x5xf32> {tg.name = "y"}, tensor<?x7x8x3xf32> {tg.name = "dx"}, tensor<1x1x3x5xf32> {tg.name = "dw"}) {
  %y = tg.conv %x, %w {strides = [2, 2]} : (tensor<?x7x8x3xf32>, tensor<1x1x3x5xf32>) -> tensor<?x4x4x5xf32>
  %dx = tg.conv_transpose %y, %w {output_sizes = [7, 8], strides = [2, 2]} : (tensor<?x4x4x5xf32>, tensor<1x1x3x5xf32>) -> tensor<?x7x8x3xf32>
  %dw = tg.conv_filter_grad %x, %y {filter_sizes = [1, 1], strides = [2, 2]} : (tensor<?x7x8x3xf32>, tensor<?x4x4x5xf32>) -> tensor<1x1x3x5xf32>
  return %y, %dx, %dw : tensor<?x4x4x5xf32>, tensor<?x7x8x3xf32>, tensor<1x1x3x5xf32>
}

// -----

// With a dynamic spatial extent the convolution stays.

// CHECK-LABEL: func.func @pointwise_unknown
// CHECK: tg.conv
func.func @pointwise_unknown(%x: tensor<2x?x3xf32> {tg.name = "x"}, %w: tensor<1x3x5xf32> {tg.name = "w"})
    -> (tensor<2x?x5xf32> {tg.name = "y"}) {
  %y = tg.conv %x, %w {strides = [2]} : (tensor<2x?x3xf32>, tensor<1x3x5xf32>) -> tensor<2x?x5xf32>
  return %y : tensor<2x?x5xf32>
}

// -----

// An op that is only used for its extent is removed with its unused operands.

// CHECK-LABEL: func.func @extent_of_unused
// CHECK-NOT: tg.reduce
// CHECK: tg.if
// CHECK-NOT: tg.dim
func.func @extent_of_unused(%x: tensor<?x4xf64> {tg.name = "x", tg.dims = ["n", ""]}, %p: tensor<i1> {tg.name = "p"})
    -> (tensor<?x4xf64> {tg.name = "y"}, tensor<?xf64> {tg.name = "e"}) {
  %y = tg.sub %x, %x : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  %m = tg.reduce_max %y {axes = [1]} : (tensor<?x4xf64>) -> tensor<?xf64>
  %d = tg.sub %m, %m : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %c = tg.constant dense<1.0> : tensor<f64>
  %e = tg.if %p : (tensor<i1>) -> tensor<?xf64> {
    %n = tg.dim %d {axis = 0} : (tensor<?xf64>) -> tensor<i64>
    %b = tg.broadcast_to %c, %n {shape = [-1]} : (tensor<f64>, tensor<i64>) -> tensor<?xf64>
    tg.yield %b : tensor<?xf64>
  } else {
    %n = tg.dim %x {axis = 0} : (tensor<?x4xf64>) -> tensor<i64>
    %b = tg.broadcast_to %c, %n {shape = [-1]} : (tensor<f64>, tensor<i64>) -> tensor<?xf64>
    tg.yield %b : tensor<?xf64>
  }
  return %y, %e : tensor<?x4xf64>, tensor<?xf64>
}
