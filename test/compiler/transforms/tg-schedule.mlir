// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-schedule)' | FileCheck %s

// Inputs, variables and outputs are used in place, without copies.

// CHECK-LABEL: tgx.function @in_place
// CHECK-SAME: arena_bytes = 0
// CHECK-SAME: inputs = [{{{.*}}name = "g"{{.*}}}]
// CHECK-NOT: tgx.copy
// CHECK-DAG: %[[G:[a-z0-9_]+]] = tgx.input 0
// CHECK-DAG: %[[W:[a-z0-9_]+]] = tgx.slab @w
// CHECK: tgx.launch @{{.*}}(%[[W]], %[[G]]) into(%[[W]])
// CHECK-NOT: tgx.copy
tg.variable @w {trainable} : tensor<4xf32>
func.func @in_place(%g: tensor<4xf32> {tg.name = "g"}) {
  %0 = tg.read @w : tensor<4xf32>
  %1 = tg.sub %0, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  tg.assign @w, %1 : tensor<4xf32>
  return
}

// -----

// Readers of the old content run before the kernel that overwrites it, even if
// they are later in the program.

// CHECK-LABEL: tgx.function @readers_first
// CHECK: tgx.launch @[[READER:[a-z0-9_]+]](%[[W:[a-z0-9_]+]]) into(%{{.*}})
// CHECK: tgx.launch @[[WRITER:[a-z0-9_]+]](%[[W]], %{{.*}}) into(%[[W]])
// CHECK: tgx.kernel @[[WRITER]] loop
// CHECK: tgx.kernel @[[READER]] reduction
tg.variable @w {trainable} : tensor<4xf32>
func.func @readers_first(%g: tensor<4xf32> {tg.name = "g"}) -> (tensor<f32> {tg.name = "sum"}) {
  %0 = tg.read @w : tensor<4xf32>
  %1 = tg.sub %0, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  tg.assign @w, %1 : tensor<4xf32>
  %2 = tg.reduce_sum %0 : (tensor<4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A kernel that reads the variable transposed cannot overwrite it: a copy
// follows.

// CHECK-LABEL: tgx.function @crosswise
// CHECK: %[[NEW:[a-z0-9_]+]] = tgx.workspace 0
// CHECK: tgx.launch @{{.*}}(%[[W:[a-z0-9_]+]]) into(%[[NEW]])
// CHECK: tgx.copy %[[NEW]] to %[[W]]
tg.variable @w {trainable} : tensor<4x4xf32>
func.func @crosswise() {
  %0 = tg.read @w : tensor<4x4xf32>
  %1 = tg.transpose %0 {permutation = [1, 0]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  tg.assign @w, %1 : tensor<4x4xf32>
  return
}

// -----

// Two variables swap their contents: one is saved first.

// CHECK-LABEL: tgx.function @exchange
// CHECK-DAG: %[[SAVED:[a-z0-9_]+]] = tgx.workspace 0
// CHECK: tgx.copy %[[A:[a-z0-9_]+]] to %[[SAVED]]
// CHECK: tgx.copy %[[B:[a-z0-9_]+]] to %[[A]]
// CHECK: tgx.copy %[[SAVED]] to %[[B]]
tg.variable @a : tensor<4xf32>
tg.variable @b : tensor<4xf32>
func.func @exchange() {
  %0 = tg.read @a : tensor<4xf32>
  %1 = tg.read @b : tensor<4xf32>
  tg.assign @a, %1 : tensor<4xf32>
  tg.assign @b, %0 : tensor<4xf32>
  return
}

// -----

// An invalid label ends the run before the weights change.

// CHECK-LABEL: tgx.function @check_first
// CHECK: tgx.launch @[[CHECK:[a-z0-9_]+]](%{{.*}}) into(%{{.*}}) {{.*}} tensor<4xi32>
// CHECK: into(%[[W:[a-z0-9_]+]])
// CHECK: tgx.kernel @{{.*}} loop
tg.variable @w : tensor<8xf32>
func.func @check_first(%g: tensor<8xf32> {tg.name = "g"}, %i: tensor<4xi32> {tg.name = "i"}, %t: tensor<9xf32> {tg.name = "t"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %0 = tg.read @w : tensor<8xf32>
  %1 = tg.add %0, %g : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  tg.assign @w, %1 : tensor<8xf32>
  %2 = tg.gather %t, %i : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Buffers with disjoint lifetimes share memory; sizes depend on the batch.

// CHECK-LABEL: tgx.function @arena
// CHECK-SAME: arena_bytes = 2048
// CHECK-SAME: lower_bound_bytes = 2048
// CHECK: tgx.workspace 0 [s0] -> (s0 * 16) above []
// CHECK: tgx.workspace 2 [s0] -> (s0 * 16) above [0, 1]
func.func @arena(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]}, %w: tensor<4x4xf32> {tg.name = "w"}) -> (tensor<?x4xf32> {tg.name = "y", tg.dims = ["batch", ""]}) {
  %0 = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %1 = tg.matmul %0, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %2 = tg.matmul %1, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %3 = tg.matmul %2, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// -----

// Outputs with computed extents have their own symbols.

// CHECK: #[[TWICE:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: tgx.function @computed_extent
// CHECK-SAME: computed = #[[TWICE]]
// CHECK-SAME: symbols = ["n", "y.0"]
func.func @computed_extent(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "y"}) {
  %0 = tg.concat %x, %x {axis = 0} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
