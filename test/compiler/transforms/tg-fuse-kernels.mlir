// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels{fuse=false})' | FileCheck %s --check-prefix=SINGLE

// A chain over one iteration space becomes one kernel, including its constants.

// CHECK-LABEL: func.func @chain
// CHECK: %[[Y:[a-z0-9_]+]] = tgx.call @[[K:[a-z0-9_]+]](%{{.*}}) [s0] -> (s0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK: tgx.kernel @[[K]] loop[s0](%{{.*}}: tensor<?xf32> [s0]) with(%{{.*}} = dense<2.000000e+00> : tensor<f32>) {
// CHECK-NEXT: tg.mul
// CHECK-NEXT: tg.relu
// CHECK-NEXT: }
// SINGLE-LABEL: func.func @chain
// SINGLE-COUNT-2: tgx.call
// SINGLE-NEXT: return
func.func @chain(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
  %two = tg.constant dense<2.0> : tensor<f32>
  %0 = tg.mul %x, %two : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = tg.relu %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// A contraction fuses its bias and activation.

// CHECK-LABEL: func.func @dense
// CHECK-COUNT-1: tgx.call
// CHECK: tgx.kernel @{{.*}} contraction
// CHECK: tg.matmul
// CHECK-NEXT: tg.add
// CHECK-NEXT: tg.relu
func.func @dense(%x: tensor<?x4xf32> {tg.name = "x"}, %w: tensor<4x8xf32> {tg.name = "w"}, %b: tensor<8xf32> {tg.name = "b"}) -> (tensor<?x8xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %1 = tg.add %0, %b : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %2 = tg.relu %1 : tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

// A softmax is one kernel: its reductions share rows.

// CHECK-LABEL: func.func @rows
// CHECK-COUNT-1: tgx.call
// CHECK: tgx.kernel @{{.*}} reduction
// CHECK: tg.reduce_max
// CHECK: tg.reduce_sum
func.func @rows(%x: tensor<?x8xf32> {tg.name = "x"}) -> (tensor<?x8xf32> {tg.name = "y"}) {
  %0 = tg.softmax %x {axis = 1} : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// A sum over the leading axis is not broadcast again in the same kernel.

// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: tgx.call
func.func @columns(%x: tensor<?x8xf32> {tg.name = "x"}) -> (tensor<?x8xf32> {tg.name = "y"}) {
  %0 = tg.reduce_sum %x {axes = [0], keep_dims} : (tensor<?x8xf32>) -> tensor<1x8xf32>
  %1 = tg.sub %x, %0 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// The exponential needs the sum of all products: fused with the contraction, it
// would have to run both before and after the reduction.

// CHECK-LABEL: func.func @other_path
// CHECK: tgx.call @[[PRODUCT:[a-z0-9_]+]](%{{.*}}, %{{.*}})
// CHECK: tgx.call @[[SUM:[a-z0-9_]+]](
// CHECK: tgx.call @[[QUOTIENT:[a-z0-9_]+]](
// CHECK: tgx.kernel @[[PRODUCT]] contraction
// CHECK: tgx.kernel @[[SUM]] reduction
// CHECK: tgx.kernel @[[QUOTIENT]] loop
func.func @other_path(%x: tensor<4x4xf32> {tg.name = "x"}, %w: tensor<4x8xf32> {tg.name = "w"}) -> (tensor<4x8xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tg.reduce_sum %0 : (tensor<4x8xf32>) -> tensor<f32>
  %2 = tg.div %0, %1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Kernels with equal text are emitted once, whatever names the functions give
// their extents.

// CHECK-LABEL: func.func @first
// CHECK: tgx.call @[[K:[a-z0-9_]+]](
// CHECK-LABEL: func.func @second
// CHECK: tgx.call @[[K]](
// CHECK-COUNT-1: tgx.kernel
// CHECK-NOT: tgx.kernel
func.func @first(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
  %0 = tg.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @second(%a: tensor<?x3xf32> {tg.name = "a"}, %x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
  %0 = tg.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Extents that must be equal at run time are checked on entry.

// CHECK-LABEL: func.func @entry_check
// CHECK: tgx.entry_check "operand dim 0" [s0, s1] -> (s1) expected [s0, s1] -> (s0) {op_name = "tg.add"}
func.func @entry_check(%x: tensor<?xf32> {tg.name = "x"}, %y: tensor<?xf32> {tg.name = "y"}) -> (tensor<?xf32> {tg.name = "z"}) {
  %0 = tg.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A constant that is not a splat stays in memory, and a chain of concatenations
// is not recomputed in each kernel.

// CHECK-LABEL: func.func @table
// CHECK: %[[T:[a-z0-9_]+]] = tg.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK: tgx.call @{{.*}}(%{{.*}}, %[[T]])
func.func @table(%x: tensor<2xf32> {tg.name = "x"}) -> (tensor<2xf32> {tg.name = "y"}) {
  %t = tg.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = tg.mul %x, %t : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @joins
// CHECK-COUNT-2: tgx.call
// CHECK: tgx.kernel
// CHECK-COUNT-1: tg.concat
// CHECK: }
func.func @joins() -> (tensor<16xf32> {tg.name = "y"}) {
  %0 = tg.constant dense<1.0> : tensor<4xf32>
  %1 = tg.concat %0, %0 {axis = 0} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = tg.concat %1, %1 {axis = 0} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

// Kernels that differ only in numbers are merged: calls pass streams and starts
// as extents, constants as inputs. The merged kernel has the name of the first
// one.

// CHECK-LABEL: func.func @numbers
// CHECK: tgx.call @random_normal__encoder_Linear_1(%{{.*}}) [] -> (1)
// CHECK: %[[TENTH:[a-z0-9_]+]] = tg.constant dense<1.000000e-01>
// CHECK: tgx.call @slice_mul__numbers(%{{.*}}, %[[TENTH]]) [] -> (2)
// CHECK: tgx.call @random_normal__encoder_Linear_1(%{{.*}}) [] -> (7)
// CHECK: %[[FIFTH:[a-z0-9_]+]] = tg.constant dense<2.000000e-01>
// CHECK: tgx.call @slice_mul__numbers(%{{.*}}, %[[FIFTH]]) [] -> (3)
// CHECK: tgx.kernel @random_normal__encoder_Linear_1 {{.*}}[s0](%[[SEED:[a-z0-9_]+]]: tensor<i64>) with(%[[STREAM:[a-z0-9_]+]] = [s0]
// CHECK-SAME: tg.random_normal %[[SEED]], %{{.*}}, %[[STREAM]] {shape = [8], stream = -1 : i64}
// CHECK: tgx.kernel @slice_mul__numbers loop[s0](%{{.*}}: tensor<8xf32>, %[[SCALE:[a-z0-9_]+]]: tensor<f32>) with(%[[START:[a-z0-9_]+]] = [s0])
// CHECK: tg.slice %{{.*}}, %[[START]] {sizes = [4], starts = [-1]}
// CHECK: tg.mul %{{.*}}, %[[SCALE]]
// CHECK-NOT: tgx.kernel
func.func @numbers(%seed: tensor<i64> {tg.name = "seed"}) -> (tensor<4xf32> {tg.name = "a"}, tensor<4xf32> {tg.name = "b"}) {
  %zero = tg.constant dense<0> : tensor<i64>
  %tenth = tg.constant dense<0.1> : tensor<f32>
  %fifth = tg.constant dense<0.2> : tensor<f32>
  %a0 = tg.random_normal %seed, %zero {shape = [8], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<8xf32> loc("encoder/Linear_1"("model.cpp":1:2))
  %a1 = tg.slice %a0 {starts = [2], sizes = [4]} : (tensor<8xf32>) -> tensor<4xf32>
  %a = tg.mul %a1, %tenth : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b0 = tg.random_normal %seed, %zero {shape = [8], stream = 7} : (tensor<i64>, tensor<i64>) -> tensor<8xf32> loc("encoder/Linear_2"("model.cpp":2:2))
  %b1 = tg.slice %b0 {starts = [3], sizes = [4]} : (tensor<8xf32>) -> tensor<4xf32>
  %b = tg.mul %b1, %fifth : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// 0 and powers of two generate shorter code, so they stay in their kernels; the
// second kernel gets a suffix.

// CHECK-LABEL: func.func @apart
// CHECK-DAG: tgx.call @div__apart(
// CHECK-DAG: tgx.call @div__apart_2(
// CHECK-DAG: tgx.kernel @div__apart loop
// CHECK-DAG: tgx.kernel @div__apart_2 loop
func.func @apart(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "a"}, tensor<4xf32> {tg.name = "b"}) {
  %two = tg.constant dense<2.0> : tensor<f32>
  %three = tg.constant dense<3.0> : tensor<f32>
  %a = tg.div %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = tg.div %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Sums over the same axis share one pass; a sum that depends on another one
// needs a second pass.

// CHECK-LABEL: func.func @spread
// CHECK: tgx.kernel @{{.*}} reduction
// CHECK-COUNT-1: tg.reduce_sum
// CHECK: tgx.kernel @{{.*}} reduction
// CHECK-COUNT-2: tg.reduce_sum
// CHECK-NOT: tgx.kernel
func.func @spread(%x: tensor<64x256xf32> {tg.name = "x"}) -> (tensor<256xf32> {tg.name = "squares"}, tensor<256xf32> {tg.name = "rest"}) {
  %0 = tg.reduce_sum %x {axes = [0]} : (tensor<64x256xf32>) -> tensor<256xf32>
  %1 = tg.sub %x, %0 : (tensor<64x256xf32>, tensor<256xf32>) -> tensor<64x256xf32>
  %2 = tg.mul %1, %1 : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  %3 = tg.reduce_sum %2 {axes = [0]} : (tensor<64x256xf32>) -> tensor<256xf32>
  %4 = tg.reduce_sum %1 {axes = [0]} : (tensor<64x256xf32>) -> tensor<256xf32>
  return %3, %4 : tensor<256xf32>, tensor<256xf32>
}

// -----

// Moments of columns take one pass; moments of rows are composed of sums.

// CHECK-LABEL: func.func @moments
// CHECK: tgx.call
// CHECK-NEXT: return
// CHECK: tgx.kernel @{{.*}} reduction
// CHECK: tg.moments %{{.*}} {axes = [0], {{.*}}}
// CHECK-NOT: tgx.kernel
func.func @moments(%x: tensor<64x256xf32> {tg.name = "x"}) -> (tensor<256xf32> {tg.name = "mean"}, tensor<256xf32> {tg.name = "variance"}) {
  %m, %v = tg.moments %x {axes = [0]} : (tensor<64x256xf32>) -> (tensor<256xf32>, tensor<256xf32>)
  return %m, %v : tensor<256xf32>, tensor<256xf32>
}

// -----

// CHECK-LABEL: func.func @moments_of_rows
// CHECK-NOT: tg.moments
func.func @moments_of_rows(%x: tensor<64x256xf32> {tg.name = "x"}) -> (tensor<64xf32> {tg.name = "mean"}, tensor<64xf32> {tg.name = "variance"}) {
  %m, %v = tg.moments %x {axes = [1]} : (tensor<64x256xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %m, %v : tensor<64xf32>, tensor<64xf32>
}

// -----

// Kernel names consist of whole words, even if layer names are long.

// CHECK-LABEL: func.func @named
// CHECK: tgx.kernel @relu__second_block_projection_layer loop
// CHECK: tgx.kernel @conv_filter_grad__named contraction
func.func @named(%x: tensor<8xf32> {tg.name = "x"}, %i: tensor<2x8x8x4xf32> {tg.name = "i"}, %g: tensor<2x8x8x4xf32> {tg.name = "g"})
    -> (tensor<8xf32> {tg.name = "y"}, tensor<3x3x4x4xf32> {tg.name = "f"}) {
  %0 = tg.relu %x : tensor<8xf32> loc("encoder/of_pictures_second_block_projection_layer"("model.cpp":1:2))
  %1 = tg.conv_filter_grad %i, %g {filter_sizes = [3, 3], padding = "same"} : (tensor<2x8x8x4xf32>, tensor<2x8x8x4xf32>) -> tensor<3x3x4x4xf32>
  return %0, %1 : tensor<8xf32>, tensor<3x3x4x4xf32>
}
