// RUN: tgc %s --stop-after=schedule -o - | FileCheck %s

// Effects keep their order, and everything that can end the run precedes the
// first write to a variable: the new value is computed in another buffer.
// CHECK-LABEL: tgx.function @effects
// CHECK: %[[W:.*]] = tgx.slab @w
// CHECK: tgx.launch @{{.*}} into(%[[NEW:[^,)]*]]
// CHECK: tgx.host "print" "new"(%[[NEW]])
// CHECK: tgx.host "call" "f"
// CHECK: tgx.host "assert" "below 10"
// CHECK: tgx.copy %[[NEW]] to %[[W]]

// CHECK-LABEL: tgx.function @print_alone
// CHECK: %[[V:.*]] = tgx.slab @w
// CHECK: tgx.launch @{{.*}}(%[[V]], %{{.*}}) into(%[[V]])
// CHECK-NEXT: tgx.host "print" "new"(%[[V]])
// CHECK-NOT: tgx.copy

// One kernel fuses an op before all host calls with an op that needs the second
// call. The host calls keep their order.
// CHECK-LABEL: tgx.function @late_value
// CHECK: tgx.host "call" "a"
// CHECK: tgx.host "call" "b"
// CHECK: tgx.host "call" "c"

// An out-of-range gather leaves the variable unchanged.
// CHECK-LABEL: tgx.function @checked_kernel
// CHECK: tgx.launch @{{.*}}gather
// CHECK: tgx.copy

module {
  tg.variable @w : tensor<4xf32>
  func.func @effects(%x: tensor<4xf32> {tg.name = "x"}) {
    %w = tg.read @w : tensor<4xf32>
    %new = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.assign @w, %new : tensor<4xf32>
    tg.print "new", %new : tensor<4xf32>
    tg.host_call "f"() : () -> ()
    %most = tg.reduce_max %new : (tensor<4xf32>) -> tensor<f32>
    %ten = tg.constant dense<10.0> : tensor<f32>
    %ok = tg.compare lt, %most, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.assert %ok, "below 10" : tensor<i1>
    return
  }
  func.func @print_alone(%x: tensor<4xf32> {tg.name = "x"}) {
    %w = tg.read @w : tensor<4xf32>
    %new = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.assign @w, %new : tensor<4xf32>
    tg.print "new", %new : tensor<4xf32>
    return
  }
  func.func @late_value(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
    %e = tg.exp %x : tensor<4xf32>
    tg.host_call "a"() : () -> ()
    %b = tg.host_call "b"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    tg.host_call "c"() : () -> ()
    %y = tg.add %e, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  func.func @checked_kernel(%i: tensor<4xi32> {tg.name = "i"}) {
    %w = tg.read @w : tensor<4xf32>
    %g = tg.gather %w, %i : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
    %new = tg.add %w, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.assign @w, %new : tensor<4xf32>
    return
  }
}
