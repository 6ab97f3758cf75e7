// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights,tg-schedule)' | FileCheck %s --check-prefix=SCHEDULE

// A variable that is the rhs of a contraction is packed ahead.

// CHECK-LABEL: func.func @test
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<1x4x64xf32>
// CHECK: tgx.call @[[PRODUCT:[a-z0-9_]+]](%{{.*}}, %[[PANELS]])
// CHECK: tgx.kernel @[[PACK]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 0, width = 64>) : (tensor<40x4xf32>) -> tensor<1x4x64xf32>
// CHECK: tgx.kernel @[[PRODUCT]] contraction{{.*}} attributes {algorithm = "panels"}
// CHECK: %[[MATRIX:[a-z0-9_]+]] = tgx.unpack %{{.*}} as(#cpu.panels<axis = 0, width = 64>) : (tensor<1x4x64xf32>) -> tensor<40x4xf32>
// CHECK: tg.matmul %{{.*}}, %[[MATRIX]] {{{.*}}transpose_rhs} : (tensor<?x4xf32>, tensor<40x4xf32>)
// SCHEDULE-LABEL: tgx.function @test
// SCHEDULE: %[[PANELS:[a-z0-9_]+]] = tgx.packed @w by @[[PACK:[a-z0-9_]+]] : tensor<1x4x64xf32>
// SCHEDULE-NOT: tgx.launch @[[PACK]]
// SCHEDULE: tgx.launch @{{.*}}(%{{.*}}, %[[PANELS]])
tg.variable @w : tensor<40x4xf32>
func.func @test(%x: tensor<?x4xf32> {tg.name = "x"}) -> (tensor<?x40xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<40x4xf32>
  %y = tg.matmul %x, %w {transpose_rhs} : (tensor<?x4xf32>, tensor<40x4xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

// -----

// One weight matrix is shared by several matrices of rows.

// CHECK-LABEL: func.func @test
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
// CHECK: %[[MATRIX:[a-z0-9_]+]] = tgx.unpack
// CHECK: tg.matmul %{{.*}}, %[[MATRIX]] {{.*}}: (tensor<?x3x4xf32>, tensor<4x40xf32>)
tg.variable @w : tensor<4x40xf32>
func.func @test(%x: tensor<?x3x4xf32> {tg.name = "x"}) -> (tensor<?x3x40xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<4x40xf32>
  %y = tg.matmul %x, %w : (tensor<?x3x4xf32>, tensor<4x40xf32>) -> tensor<?x3x40xf32>
  return %y : tensor<?x3x40xf32>
}

// -----

// A batch of weight matrices is not packed.

// CHECK-LABEL: func.func @test
// CHECK-NOT: tgx.pack
tg.variable @w : tensor<3x4x40xf32>
func.func @test(%x: tensor<3x?x4xf32> {tg.name = "x"}) -> (tensor<3x?x40xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<3x4x40xf32>
  %y = tg.matmul %x, %w : (tensor<3x?x4xf32>, tensor<3x4x40xf32>) -> tensor<3x?x40xf32>
  return %y : tensor<3x?x40xf32>
}

// -----

// A function that assigns variables packs nothing ahead.

// CHECK-LABEL: func.func @train
// CHECK-NOT: tgx.pack
tg.variable @w : tensor<4x8xf32>
tg.variable @count : tensor<i64>
func.func @train(%x: tensor<?x4xf32> {tg.name = "x"}) -> (tensor<?x8xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<4x8xf32>
  %n = tg.read @count : tensor<i64>
  %m = tg.add %n, %n : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.assign @count, %m : tensor<i64>
  %y = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
