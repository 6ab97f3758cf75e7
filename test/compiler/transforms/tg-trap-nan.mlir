// RUN: tgc-opt %s --tg-trap-nan -verify-diagnostics | FileCheck %s
// RUN: tgc-opt %s --tg-trap-nan="nan-only" 2>/dev/null | FileCheck %s --check-prefix=NAN

// Inputs and results are checked; ops that only move data are not.
// NAN-LABEL: @plain
// NAN: tgx.check_finite {{.*}}nan_only
// CHECK-LABEL: @plain
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>
// CHECK: %[[A:.*]] = tgx.check_finite %[[X]] {op_name = "input 'x'"} : tensor<2x3xf32>
// CHECK-NEXT: %[[T:.*]] = tg.transpose %[[A]]
// CHECK-NEXT: %[[L:.*]] = tg.log %[[T]]
// CHECK-NEXT: %[[M:.*]] = tgx.check_finite %[[L]] {op_name = "tg.log"} : tensor<3x2xf32>
// CHECK-NEXT: %[[S:.*]] = tg.reduce_sum %[[M]]
// CHECK-NEXT: %[[R:.*]] = tgx.check_finite %[[S]] {op_name = "tg.reduce_sum"} : tensor<f32>
// CHECK-NEXT: return %[[R]]
// expected-remark @below {{trap-nan: function 'plain' has 3 checks}}
func.func @plain(%x: tensor<2x3xf32> {tg.name = "x"}, %i: tensor<2xi32> {tg.name = "i"}) -> (tensor<f32> {tg.name = "y"}) {
  %t = tg.transpose %x {permutation = [1, 0]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %l = tg.log %t : tensor<3x2xf32>
  %s = tg.reduce_sum %l : (tensor<3x2xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// Elementwise ops on an infinite constant are not checked; a sum over their
// result is.
// CHECK-LABEL: @mask
// CHECK: %[[C:.*]] = tg.constant dense<0xFF800000>
// CHECK: %[[P:.*]] = tg.select %{{.*}}, %{{.*}}, %[[C]]
// CHECK-NEXT: %[[E:.*]] = tg.exp %[[P]]
// CHECK-NEXT: %[[F:.*]] = tgx.check_finite %[[E]] from %[[P]] {op_name = "tg.exp"} : tensor<4xf32> from tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = tg.softmax %[[F]]
// CHECK-NEXT: tgx.check_finite %[[S]] {op_name = "tg.softmax"}
// expected-remark @below {{trap-nan: function 'mask' has 3 checks}}
func.func @mask(%x: tensor<4xf32> {tg.name = "x"}, %p: tensor<4xi1> {tg.name = "p"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %c = tg.constant dense<0xFF800000> : tensor<f32>
  %m = tg.select %p, %x, %c : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = tg.exp %m : tensor<4xf32>
  %s = tg.softmax %e {axis = 0} : tensor<4xf32>
  return %s : tensor<4xf32>
}

// A variable and a loop-carried value may hold any value that is assigned to
// them.
tg.variable @best : tensor<f32>
// CHECK-LABEL: @start
// CHECK-NOT: check_finite
func.func @start() attributes {tg.role = "init"} {
  %c = tg.constant dense<0x7F800000> : tensor<f32>
  tg.assign @best, %c : tensor<f32>
  return
}
// CHECK-LABEL: @least
// CHECK: %[[B:.*]] = tg.read @best
// CHECK: tg.scan inits(%[[B]])
// CHECK: ^bb0(%[[OLD:.*]]: tensor<f32>, %[[IN:.*]]: tensor<f32>):
// CHECK-NEXT: %[[N:.*]] = tg.add %[[OLD]], %[[IN]]
// CHECK-NEXT: tgx.check_finite %[[N]] from %[[OLD]] {op_name = "tg.add"}
// CHECK: }
// CHECK-NOT: check_finite
// expected-remark @below {{trap-nan: function 'least' has 2 checks}}
func.func @least(%x: tensor<5xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %b = tg.read @best : tensor<f32>
  %l = tg.scan inits(%b) inputs(%x) : (tensor<f32>, tensor<5xf32>) -> tensor<f32> {
  ^bb0(%old: tensor<f32>, %in: tensor<f32>):
    %n = tg.add %old, %in : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %n : tensor<f32>
  }
  tg.assign @best, %l : tensor<f32>
  return %l : tensor<f32>
}

// Ops whose formula keeps finite values finite are not checked; products are.
// CHECK-LABEL: @finite
// CHECK: %[[X:.*]] = tgx.check_finite %arg0 {op_name = "input 'x'"}
// CHECK: %[[R:.*]] = tg.relu %[[X]]
// CHECK-NEXT: %[[M:.*]] = tg.maximum %[[R]], %{{.*}}
// CHECK-NEXT: %[[T:.*]] = tg.tanh %[[M]]
// CHECK-NEXT: %[[P:.*]] = tg.mul %[[T]], %[[X]]
// CHECK-NEXT: %[[Q:.*]] = tgx.check_finite %[[P]] {op_name = "tg.mul"}
// CHECK-NEXT: %[[N:.*]] = tg.neg %[[Q]]
// CHECK-NEXT: return %[[N]]
// expected-remark @below {{trap-nan: function 'finite' has 2 checks}}
func.func @finite(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %c = tg.constant dense<-1.0> : tensor<f32>
  %r = tg.relu %x : tensor<4xf32>
  %m = tg.maximum %r, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %t = tg.tanh %m : tensor<4xf32>
  %p = tg.mul %t, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %n = tg.neg %p : tensor<4xf32>
  return %n : tensor<4xf32>
}
