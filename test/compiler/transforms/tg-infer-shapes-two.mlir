// A binding other than 1 can also yield extents of 1: half of 2, or 2 minus 1.
// Extents that cannot be equal are an error, as in runs with dynamic extents.
// RUN: tgc-opt %s --tg-infer-shapes=dims=n=2 --split-input-file --verify-diagnostics | FileCheck %s

func.func @beside_a_half(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %half = tg.slice %x {starts = [0], sizes = [-1], strides = [2]} : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'tg.add' op expected operand dim 0 (2) to equal 1 [R0]}}
  %z = tg.add %half, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

func.func @beside_one_less(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %rest = tg.slice %x {starts = [1], sizes = [-1]} : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'tg.add' op expected operand dim 0 (2) to equal 1 [R0]}}
  %z = tg.add %rest, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

// Another op proves that the extent is 2.
func.func @beside_an_equal_extent(%x: tensor<3x?xf32> {tg.name = "x", tg.dims = ["", "n"]},
                                  %y: tensor<3x?xf32> {tg.name = "y", tg.dims = ["", "k"]},
                                  %b: tensor<?xf32> {tg.name = "b", tg.dims = ["n"]}) -> (tensor<6x?xf32> {tg.name = "z"}) {
  %c = tg.concat %x, %y {axis = 0} : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<6x?xf32>
  %rest = tg.slice %b {starts = [1], sizes = [-1]} : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'tg.add' op expected operand dim 1 (1) to equal 2 [R0]}}
  %z = tg.add %c, %rest : (tensor<6x?xf32>, tensor<?xf32>) -> tensor<6x?xf32>
  return %z : tensor<6x?xf32>
}

// -----

// An equality implies that %s has 2 elements, so a third of it, rounded up, is
// 1.
// CHECK-LABEL: func.func @beside_a_third
// CHECK: %[[Y:.*]] = tg.ensure_shape %{{.*}} {shape = [1]}
// CHECK: tg.mul %{{.*}}, %[[Y]] : {{.*}} -> tensor<1xf32>
func.func @beside_a_third(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
                          %y: tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "z"}) {
  %s = tg.add %y, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %third = tg.slice %s {starts = [0], sizes = [-1], strides = [3]} : (tensor<?xf32>) -> tensor<?xf32>
  %z = tg.mul %third, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
