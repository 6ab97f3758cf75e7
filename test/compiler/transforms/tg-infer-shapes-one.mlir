// A `?` never broadcasts. If its name is bound to 1, the extent must equal the
// other operand's extent, as in runs of the function with dynamic extents.
// RUN: tgc-opt %s --tg-infer-shapes=dims=n=1 --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @beside_an_open_extent
// CHECK: %[[Y:.*]] = tg.ensure_shape %{{.*}} {shape = [1, 3]} : (tensor<?x3xf32>) -> tensor<1x3xf32>
// CHECK: tg.add %{{.*}}, %[[Y]] : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
func.func @beside_an_open_extent(
    %x: tensor<?x3xf32> {tg.name = "x", tg.dims = ["n", ""]},
    %y: tensor<?x3xf32> {tg.name = "y", tg.dims = ["m", ""]}) -> (tensor<?x3xf32> {tg.name = "z"}) {
  %z = tg.add %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}

// The other extent is checked against the bound one, whatever its formula is.
// CHECK-LABEL: func.func @beside_a_formula
// CHECK: %[[C:.*]] = tg.concat
// CHECK: %[[Y:.*]] = tg.ensure_shape %[[C]] {shape = [1]} : (tensor<?xf32>) -> tensor<1xf32>
// CHECK: tg.mul %{{.*}}, %[[Y]] : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
func.func @beside_a_formula(
    %x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
    %y: tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %c = tg.concat %y, %y {axis = 0} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %z = tg.mul %x, %c : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// CHECK-LABEL: func.func @in_leading_extents_of_products
// CHECK: tg.ensure_shape %{{.*}} {shape = [1, 3, 4]}
// CHECK: tg.matmul {{.*}} -> tensor<1x2x4xf32>
func.func @in_leading_extents_of_products(
    %x: tensor<?x2x3xf32> {tg.name = "x", tg.dims = ["n", "", ""]},
    %y: tensor<?x3x4xf32> {tg.name = "y", tg.dims = ["m", "", ""]}) -> (tensor<?x2x4xf32> {tg.name = "z"}) {
  %z = tg.matmul %x, %y : (tensor<?x2x3xf32>, tensor<?x3x4xf32>) -> tensor<?x2x4xf32>
  return %z : tensor<?x2x4xf32>
}

// CHECK-LABEL: func.func @in_regions
// CHECK: tg.if
// CHECK: tg.ensure_shape %{{.*}} {shape = [1]}
// CHECK: tg.add {{.*}} -> tensor<1xf32>
func.func @in_regions(
    %p: tensor<i1> {tg.name = "p"},
    %x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
    %y: tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %z = tg.if %p : (tensor<i1>) -> tensor<?xf32> {
    %s = tg.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tg.yield %s : tensor<?xf32>
  } else {
    tg.yield %x : tensor<?xf32>
  }
  return %z : tensor<?xf32>
}

// A data-dependent extent is checked as well.
// CHECK-LABEL: func.func @beside_a_found_extent
// CHECK: %[[R:.*]] = tg.if
// CHECK: %[[E:.*]] = tg.ensure_shape %[[R]] {shape = [1]} : (tensor<?xf32>) -> tensor<1xf32>
// CHECK: tg.add %[[E]], %{{.*}} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
func.func @beside_a_found_extent(
    %p: tensor<i1> {tg.name = "p"},
    %x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %r = tg.if %p : (tensor<i1>) -> tensor<?xf32> {
    %longer = tg.pad %x, %zero {high = [1], low = [0]} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    tg.yield %longer : tensor<?xf32>
  } else {
    tg.yield %x : tensor<?xf32>
  }
  %z = tg.add %r, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// Each op has its own check; the check of an unused op is removed later.
// CHECK-LABEL: func.func @beside_an_unused_op
// CHECK-COUNT-2: tg.ensure_shape %{{.*}} {shape = [1]}
func.func @beside_an_unused_op(
    %x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
    %y: tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %unused = tg.sub %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %z = tg.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// CHECK-LABEL: func.func @in_two_extents
// CHECK: %[[E:.*]] = tg.ensure_shape %{{.*}} {shape = [1, -1]}
// CHECK: %[[F:.*]] = tg.ensure_shape %[[E]] {shape = [1, 1]}
// CHECK: tg.add %{{.*}}, %[[F]] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
func.func @in_two_extents(
    %x: tensor<?x?xf32> {tg.name = "x", tg.dims = ["n", "n"]},
    %y: tensor<?x?xf32> {tg.name = "y", tg.dims = ["m", "k"]}) -> (tensor<?x?xf32> {tg.name = "z"}) {
  %z = tg.add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// An extent that a check proves to be 1 is compared with further extents.
// CHECK-LABEL: func.func @one_after_another
// CHECK: %[[Y:.*]] = tg.ensure_shape %{{.*}} {shape = [1]}
// CHECK: %[[S:.*]] = tg.add %{{.*}}, %[[Y]] : {{.*}} -> tensor<1xf32>
// CHECK: %[[C:.*]] = tg.ensure_shape %{{.*}} {shape = [1]}
// CHECK: tg.mul %[[S]], %[[C]] : {{.*}} -> tensor<1xf32>
func.func @one_after_another(
    %x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
    %y: tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %s = tg.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %c = tg.concat %y, %y {axis = 0} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %z = tg.mul %s, %c : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// An extent of 1 in the type broadcasts, bound or not; equal names mean equal
// extents.
// CHECK-LABEL: func.func @what_may_broadcast
// CHECK-NOT: tg.ensure_shape
func.func @what_may_broadcast(
    %x: tensor<?x3xf32> {tg.name = "x", tg.dims = ["n", ""]},
    %y: tensor<?x3xf32> {tg.name = "y", tg.dims = ["n", ""]},
    %b: tensor<1x3xf32> {tg.name = "b"}, %c: tensor<3xf32> {tg.name = "c"})
    -> (tensor<?x3xf32> {tg.name = "z"}) {
  %0 = tg.add %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = tg.add %0, %b : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %2 = tg.add %1, %c : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}

// -----

func.func @beside_a_number(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
                           %y: tensor<3xf32> {tg.name = "y"}) -> (tensor<3xf32> {tg.name = "z"}) {
  // expected-error @below {{'tg.add' op expected operand dim 0 (3) to equal 1 [R0]}}
  %z = tg.add %x, %y : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}
