// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{joined_slots = 512}"},tg-fuse-kernels,tg-join-loops)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{joined_slots = 10}"},tg-fuse-kernels,tg-join-loops)' | FileCheck %s --check-prefix=FEW
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{joined_slots = 512}"},tg-fuse-kernels,tg-join-loops,tg-schedule)' | FileCheck %s --check-prefix=STEPS
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test},tg-fuse-kernels,tg-join-loops)' | FileCheck %s --check-prefix=CHEAP

// Launches that cost little are not shared.
// CHEAP-NOT: parts

// Updates of variables of different shapes are parts of one dimension, with
// those of many elements first. The rate is passed once.
module {
  tg.variable @u : tensor<4xf32>
  tg.variable @v : tensor<2x3xf32>
  tg.variable @w : tensor<2x2x4xf32>
  // CHECK-LABEL: func.func @updates
  // CHECK: tgx.call @[[JOINED:mul_add__.*_and_2_more]](%{{.*}}, %arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<16xf32>, tensor<f32>, tensor<16xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<16xf32>, tensor<6xf32>, tensor<4xf32>)
  // CHECK-NOT: tgx.call
  // CHECK: tgx.kernel @[[JOINED]] loop(%{{.*}}: tensor<?xf32> [16], %[[RATE:[a-z0-9]+]]: tensor<f32>, %{{.*}}: tensor<?xf32> [16], %{{.*}}: tensor<?xf32> [6], %{{.*}}: tensor<?xf32> [6], %{{.*}}: tensor<?xf32> [4], %{{.*}}: tensor<?xf32> [4]) with(%[[HALF:.*]] = dense<5.000000e-01> : tensor<f32>) attributes {parts = array<i64: 1, 1, 1>}
  // CHECK-COUNT-3: tg.mul %{{.*}}, %[[RATE]]
  // CHECK-NOT: tgx.kernel

  // A launch has slots for two of the loops.
  // FEW-LABEL: func.func @updates
  // FEW: tgx.call @mul_add__updates(
  // FEW: tgx.call @mul_add__{{.*}}_and_1_more
  // FEW-NOT: tgx.call
  // FEW: return

  // All variables are updated in place.
  // STEPS-LABEL: tgx.function @updates
  // STEPS-COUNT-1: tgx.launch
  // STEPS-NOT: {{tgx.launch|tgx.copy}}
  // STEPS: tgx.kernel
  func.func @updates(%rate: tensor<f32> {tg.name = "rate"}, %x: tensor<4xf32> {tg.name = "x"}, %y: tensor<2x3xf32> {tg.name = "y"}, %z: tensor<2x2x4xf32> {tg.name = "z"}) {
    %half = tg.constant dense<0.5> : tensor<f32>
    %u = tg.read @u : tensor<4xf32>
    %u1 = tg.mul %x, %rate : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %u2 = tg.add %u, %u1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %u3 = tg.mul %u2, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    tg.assign @u, %u3 : tensor<4xf32>
    %v = tg.read @v : tensor<2x3xf32>
    %v1 = tg.mul %y, %rate : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %v2 = tg.add %v, %v1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %v3 = tg.mul %v2, %half : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    tg.assign @v, %v3 : tensor<2x3xf32>
    %w = tg.read @w : tensor<2x2x4xf32>
    %w1 = tg.mul %z, %rate : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %w2 = tg.add %w, %w1 : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %w3 = tg.mul %w2, %half : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    tg.assign @w, %w3 : tensor<2x2x4xf32>
    return
  }
}

// -----

// A reduction cannot write over a variable that it reads. The copies of such
// results share a launch.
module {
  tg.variable @v : tensor<3xf32>
  tg.variable @w : tensor<2x4xf32>
  // CHECK-LABEL: func.func @copies
  // CHECK: %[[A:.*]] = tgx.call @{{.*}}reduce_sum
  // CHECK: %[[B:.*]] = tgx.call @{{.*}}reduce_sum
  // CHECK: %[[C:.*]]:2 = tgx.call @copy_and_1_more(%{{.*}}, %[[A]]) : (tensor<8xf32>, tensor<3xf32>) -> (tensor<8xf32>, tensor<3xf32>)
  // CHECK: tg.assign @v, %[[C]]#1
  // CHECK: tgx.kernel @copy_and_1_more loop(%{{.*}}: tensor<?xf32> [8], %{{.*}}: tensor<?xf32> [3]) attributes {parts = array<i64: 1, 1>}
  // STEPS-LABEL: tgx.function @copies
  // STEPS-COUNT-3: tgx.launch
  // STEPS-NOT: {{tgx.launch|tgx.copy}}
  // STEPS: tgx.kernel
  func.func @copies(%x: tensor<3x5xf32> {tg.name = "x"}, %y: tensor<2x4x5xf32> {tg.name = "y"}) {
    %v = tg.read @v : tensor<3xf32>
    %s = tg.reduce_sum %x {axes = [1]} : (tensor<3x5xf32>) -> tensor<3xf32>
    %v1 = tg.add %v, %s : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tg.assign @v, %v1 : tensor<3xf32>
    %w = tg.read @w : tensor<2x4xf32>
    %t = tg.reduce_sum %y {axes = [2]} : (tensor<2x4x5xf32>) -> tensor<2x4xf32>
    %w1 = tg.add %w, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    tg.assign @w, %w1 : tensor<2x4xf32>
    return
  }
}

// -----

// Loops that follow one another share a launch, also if their ops, their ranks
// or their extents of run time differ.
module {
  // CHECK-LABEL: func.func @neighbours
  // CHECK: %[[E:.*]]:2 = tgx.call @{{.*}}_and_1_more({{.*}}) [s0, s1] -> (s0, s1)
  // CHECK: tgx.call @matmul{{.*}}(%[[E]]#0
  // CHECK: tgx.call @{{.*}}reduce_sum{{.*}}(%[[E]]#1
  // CHECK: tgx.kernel @{{.*}}_and_1_more loop[s0, s1](%{{.*}}: tensor<?x2xf32> [s0, 2], %{{.*}}: tensor<?xi32> [s1])
  func.func @neighbours(%x: tensor<?x2xf32> {tg.name = "x"}, %y: tensor<?xi32> {tg.name = "y"}, %w: tensor<2x7xf32> {tg.name = "w"}) -> (tensor<?x7xf32> {tg.name = "a"}, tensor<f32> {tg.name = "b"}) {
    %e = tg.exp %x : tensor<?x2xf32>
    %f = tg.cast %y {element_type = f32} : (tensor<?xi32>) -> tensor<?xf32>
    %a = tg.matmul %e, %w : (tensor<?x2xf32>, tensor<2x7xf32>) -> tensor<?x7xf32>
    %g = tg.broadcast_to %f {shape = [3, -1]} : (tensor<?xf32>) -> tensor<3x?xf32>
    %s = tg.reduce_sum %g {axes = [0]} : (tensor<3x?xf32>) -> tensor<?xf32>
    %b = tg.reduce_sum %s : (tensor<?xf32>) -> tensor<f32>
    return %a, %b : tensor<?x7xf32>, tensor<f32>
  }
}

// -----

// A loop with a check reports its own line.
module {
  // CHECK-LABEL: func.func @checks
  // CHECK-NOT: parts
  func.func @checks(%x: tensor<4xi32> {tg.name = "x"}, %y: tensor<6xf32> {tg.name = "y"}) -> (tensor<4xi32> {tg.name = "a"}, tensor<6xf32> {tg.name = "b"}) {
    %a = tgx.check_divisor %x {op_name = "tg.div"} : tensor<4xi32>
    %b = tg.exp %y : tensor<6xf32>
    return %a, %b : tensor<4xi32>, tensor<6xf32>
  }
}

// -----

// A variable is updated in place after the loops that read its old content. They
// share a launch, and so do the updates.
module {
  tg.variable @v : tensor<8xf32>
  tg.variable @w : tensor<6xf32>
  tg.variable @mean_v : tensor<8xf32>
  tg.variable @mean_w : tensor<6xf32>
  // CHECK-LABEL: func.func @old
  // CHECK-COUNT-2: tgx.call @{{.*}}_and_1_more
  // CHECK-NOT: tgx.call
  // CHECK: return
  // STEPS-LABEL: tgx.function @old
  // STEPS-COUNT-2: tgx.launch @{{.*}}_and_1_more
  // STEPS-NOT: {{tgx.launch|tgx.copy}}
  // STEPS: tgx.kernel
  func.func @old() {
    %v = tg.read @v : tensor<8xf32>
    %w = tg.read @w : tensor<6xf32>
    %v1 = tg.exp %v : tensor<8xf32>
    %w1 = tg.exp %w : tensor<6xf32>
    %mv = tg.read @mean_v : tensor<8xf32>
    %mw = tg.read @mean_w : tensor<6xf32>
    %mv1 = tg.add %mv, %v : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %mw1 = tg.add %mw, %w : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    tg.assign @v, %v1 : tensor<8xf32>
    tg.assign @w, %w1 : tensor<6xf32>
    tg.assign @mean_v, %mv1 : tensor<8xf32>
    tg.assign @mean_w, %mw1 : tensor<6xf32>
    return
  }
}
