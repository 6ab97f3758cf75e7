// RUN: tgc-opt %s --tg-partition-devices --split-input-file -verify-diagnostics | FileCheck %s
// RUN: tgc-opt %s --tg-partition-devices="soft" --split-input-file 2>&1 | FileCheck %s --check-prefix=SOFT
// RUN: not tgc-opt %s --tg-partition-devices="devices=cpu:0,gpu:1" --split-input-file 2>&1 | FileCheck %s --check-prefix=MORE

// Independent ops of both devices are in the same stage; each device has its
// own constants. Tensors that cross devices keep the names of their extents.
// CHECK-LABEL: func.func @fork.0.0(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32> {tg.dims = ["n"], tg.name = "x"}) -> (tensor<?xf32> {tg.dims = ["n"], tg.name = "[[D:.*]]"})
// CHECK-SAME: attributes {tg.device = "cpu:0", tg.role = "test"}
// CHECK-NEXT: %[[C:.*]] = tg.constant
// CHECK-NEXT: tg.mul %[[X]], %[[C]]
// CHECK-LABEL: func.func @fork.0.1(
// CHECK-SAME: -> (tensor<?xf32> {tg.dims = ["n"], tg.name = "[[B:.*]]"}) attributes {tg.device = "cpu:1"
// CHECK-NEXT: tg.exp %{{.*}} {tg.device = "cpu:1"}
// CHECK-NEXT: tg.constant
// CHECK-NEXT: tg.mul
// CHECK-LABEL: func.func @fork.1.0(
// CHECK-SAME: {tg.dims = ["n"], tg.name = "[[B]]"}, %{{.*}}: tensor<?xf32> {tg.dims = ["n"], tg.name = "[[D]]"}) -> (tensor<?xf32> {tg.dims = ["n"], tg.name = "y"})
// CHECK-NEXT: tg.add
func.func @fork(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "y", tg.dims = ["n"]}) {
  %c = tg.constant dense<2.0> : tensor<f32>
  %a = tg.exp %x {tg.device = "cpu:1"} : tensor<?xf32>
  %b = tg.mul %a, %c {tg.device = "cpu:1"} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = tg.mul %x, %c : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = tg.add %b, %d : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// Ops whose results the other device does not need move to a later stage, so
// that both devices compute.
// CHECK-LABEL: func.func @waits.0.0(
// CHECK-NEXT: tg.exp
// CHECK-NEXT: return
// CHECK-LABEL: func.func @waits.1.0(
// CHECK-NEXT: tg.neg
// CHECK-LABEL: func.func @waits.1.1(
// CHECK-NEXT: tg.log
func.func @waits(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}, tensor<4xf32> {tg.name = "z"}) {
  %a = tg.exp %x : tensor<4xf32>
  %b = tg.log %a {tg.device = "cpu:1"} : tensor<4xf32>
  %c = tg.neg %a : tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// -----

tg.variable @w {trainable} : tensor<4xf32>

// Variables are assigned in the last stage, after everything that can fail;
// reads are where they are needed.
// CHECK-LABEL: func.func @step.0.0(
// CHECK-SAME: attributes {tg.device = "cpu:0", tg.role = "test"}
// CHECK-NEXT: tg.read @w
// CHECK-NEXT: tg.mul
// CHECK-LABEL: func.func @step.1.1(
// CHECK-NEXT: tg.read @w
// CHECK-NEXT: tg.mul %{{.*}} {tg.device = "cpu:1"}
// CHECK-LABEL: func.func @step.2.0(
// CHECK-SAME: attributes {tg.device = "cpu:0", tg.role = "train"}
// CHECK-NEXT: tg.assign @w
func.func @step(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<4xf32>
  %a = tg.mul %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  tg.assign @w, %a : tensor<4xf32>
  %b = tg.mul %a, %w {tg.device = "cpu:1"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// A data-dependent extent is an extent of the stage's input.
// CHECK-LABEL: func.func @found.0.1(
// CHECK-SAME: -> (tensor<?x1xi64> {tg.name = "[[I:.*]]"})
// CHECK: tg.nonzero
// CHECK-LABEL: func.func @found.1.0(
// CHECK-SAME: tensor<?x1xi64> {tg.name = "[[I]]"}
// CHECK: tg.gather
func.func @found(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "y"}) {
  %c = tg.constant dense<0.0> : tensor<f32>
  %p = tg.compare gt, %x, %c {tg.device = "cpu:1"} : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
  %i = tg.nonzero %p {tg.device = "cpu:1"} : (tensor<?xi1>) -> tensor<?x1xi64>
  %j = tg.reshape %i {shape = [-1]} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = tg.gather %x, %j {axis = 0} : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// A value that depends only on extents is computed once the tensor with these
// extents is available.
// CHECK-LABEL: func.func @counted.0.1(
// CHECK-SAME: -> (tensor<?x1xi64> {tg.name = "i"})
// CHECK-LABEL: func.func @counted.1.0(
// CHECK-SAME: {tg.name = "i"}) -> (tensor<i64> {tg.name = "n"})
// CHECK-NEXT: tg.dim
func.func @counted(%p: tensor<?xi1> {tg.name = "p"}) -> (tensor<?x1xi64> {tg.name = "i"}, tensor<i64> {tg.name = "n"}) {
  %i = tg.nonzero %p {tg.device = "cpu:1"} : (tensor<?xi1>) -> tensor<?x1xi64>
  %n = tg.dim %i {axis = 0} : (tensor<?x1xi64>) -> tensor<i64>
  return %i, %n : tensor<?x1xi64>, tensor<i64>
}

// -----

// A function on one device is not split.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: -> (tensor<4xf32> {tg.name = "y"}) {
func.func @plain(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %a = tg.exp %x {tg.device = "cpu:0"} : tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

// SOFT-LABEL: func.func @far(
// SOFT-NEXT: tg.exp %{{.*}} : tensor
// MORE: expected a device of the session (cpu:0, gpu:1), found 'cpu:1'
// MORE-LABEL: func.func @far.0.1(
// MORE-SAME: tg.device = "gpu:1"
func.func @far(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  // expected-error @below {{expected a device of the session (cpu:0, cpu:1), found 'gpu:1'}}
  %a = tg.exp %x {tg.device = "gpu:1"} : tensor<4xf32>
  return %a : tensor<4xf32>
}
