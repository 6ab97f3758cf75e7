// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights,tg-schedule)' | FileCheck %s --check-prefix=SCHEDULE

// Slices of a variable are packed directly from the variable, although slices
// of equal extents share a copy kernel.

// CHECK-LABEL: func.func @halves
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK-NOT: @slice
// CHECK-DAG: %[[FIRST:[a-z0-9_]+]] = tgx.call @pack_8x40_f32_at0x0_of24x40(%[[W]])
// CHECK-DAG: %[[SECOND:[a-z0-9_]+]] = tgx.call @pack_8x40_f32_at8x0_of24x40(%[[W]])
// CHECK-DAG: %[[THIRD:[a-z0-9_]+]] = tgx.call @pack_8x40_f32_at16x0_of24x40(%[[W]])
// CHECK-DAG: tgx.call @{{.*}}_packed(%{{.*}}, %[[FIRST]]
// CHECK-DAG: tgx.call @{{.*}}_packed(%{{.*}}, %[[SECOND]]
// CHECK-DAG: tgx.call @{{.*}}_packed(%{{.*}}, %[[THIRD]]
// CHECK: tgx.kernel @pack_8x40_f32_at8x0_of24x40 custom
// CHECK: %[[BOX:[a-z0-9_]+]] = tg.slice %{{.*}} {sizes = [8, 40], starts = [8, 0]}
// CHECK: tgx.pack %[[BOX]] as(#cpu.panels<axis = 1, width = 64>) : (tensor<8x40xf32>) -> tensor<1x8x64xf32>
// SCHEDULE-LABEL: tgx.function @halves
// SCHEDULE-DAG: tgx.packed @w by @pack_8x40_f32_at0x0_of24x40
// SCHEDULE-DAG: tgx.packed @w by @pack_8x40_f32_at8x0_of24x40
// SCHEDULE-DAG: tgx.packed @w by @pack_8x40_f32_at16x0_of24x40
// SCHEDULE-NOT: tgx.launch @slice
// SCHEDULE: tgx.kernel
tg.variable @w : tensor<24x40xf32>
func.func @halves(%x: tensor<?x8xf32> {tg.name = "x"}) -> (tensor<?x40xf32> {tg.name = "a"}, tensor<?x40xf32> {tg.name = "b"}, tensor<?x40xf32> {tg.name = "c"}) {
  %w = tg.read @w : tensor<24x40xf32>
  %0 = tg.slice %w {sizes = [8, 40], starts = [0, 0]} : (tensor<24x40xf32>) -> tensor<8x40xf32>
  %1 = tg.slice %w {sizes = [8, 40], starts = [8, 0]} : (tensor<24x40xf32>) -> tensor<8x40xf32>
  %2 = tg.slice %w {sizes = [8, 40], starts = [16, 0]} : (tensor<24x40xf32>) -> tensor<8x40xf32>
  %a = tg.matmul %x, %0 : (tensor<?x8xf32>, tensor<8x40xf32>) -> tensor<?x40xf32>
  %b = tg.matmul %x, %1 : (tensor<?x8xf32>, tensor<8x40xf32>) -> tensor<?x40xf32>
  %c = tg.matmul %x, %2 : (tensor<?x8xf32>, tensor<8x40xf32>) -> tensor<?x40xf32>
  return %a, %b, %c : tensor<?x40xf32>, tensor<?x40xf32>, tensor<?x40xf32>
}

// -----

// In a function that assigns variables, weights of products in a loop are
// packed once before the loop; weights of other products are not packed.

// CHECK-LABEL: func.func @train
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @pack_8x8_f32_at4x0_of12x8
// CHECK: tg.scan
// CHECK: tgx.call @{{.*}}_packed(%{{.*}}, %[[PANELS]]
// CHECK: tg.yield
// CHECK: tgx.call @matmul{{[a-z0-9_]*}}train(
tg.variable @w : tensor<12x8xf32>
tg.variable @count : tensor<i64>
func.func @train(%x: tensor<5x2x4xf32> {tg.name = "x"}, %h: tensor<2x8xf32> {tg.name = "h"}) -> (tensor<2x8xf32> {tg.name = "y"}, tensor<2x8xf32> {tg.name = "z"}) {
  %w = tg.read @w : tensor<12x8xf32>
  %n = tg.read @count : tensor<i64>
  %m = tg.add %n, %n : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.assign @count, %m : tensor<i64>
  %r = tg.slice %w {sizes = [8, 8], starts = [4, 0]} : (tensor<12x8xf32>) -> tensor<8x8xf32>
  %y = tg.scan inits(%h) {length = 5} : (tensor<2x8xf32>) -> tensor<2x8xf32> {
  ^bb0(%s: tensor<2x8xf32>):
    %p = tg.matmul %s, %r : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %t = tg.tanh %p : tensor<2x8xf32>
    tg.yield %t : tensor<2x8xf32>
  }
  %z = tg.matmul %h, %r : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  return %y, %z : tensor<2x8xf32>, tensor<2x8xf32>
}
