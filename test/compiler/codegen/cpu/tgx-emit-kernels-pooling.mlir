// Pooling windows in elementwise kernels.
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s

// Windows that never cross a border need no window loops and no index
// comparisons; their lanes are channels.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT: scf.if
// CHECK-COUNT-8: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: scf.if
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK-LABEL: func.func @inside.tiles(
tgx.kernel @inside loop[s0](%x: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y, %i = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<?x8x8x64xf32>) -> (tensor<?x4x4x64xf32>, tensor<?x4x4x64xui8>)
  tgx.yield %y, %i : tensor<?x4x4x64xf32>, tensor<?x4x4x64xui8>
}

// Windows that cross a border visit the elements inside one by one.
// CHECK-LABEL: func.func @across(
// CHECK: scf.if {{.*}} -> (vector<16xf32>)
// CHECK-COUNT-9: llvm.load {{.*}} -> vector<16xf32>
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK-LABEL: func.func @across.tiles(
tgx.kernel @across loop[s0](%x: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y = tg.avg_pool %x {padding = "same", window = [3, 3]} : (tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  tgx.yield %y : tensor<?x8x8x64xf32>
}

// An element lies in at most two windows per dimension, so the windows are
// unrolled.
// CHECK-LABEL: func.func @under(
// CHECK-NOT: iter_args
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: iter_args
// CHECK-LABEL: func.func @under.tiles(
tgx.kernel @under loop[s0](%g: tensor<?x4x4x64xf32> [s0, 4, 4, 64]) {
  %y = tg.avg_pool_grad %g {input_sizes = [8, 8], padding = "same", strides = [2, 2], window = [3, 3]} : (tensor<?x4x4x64xf32>) -> tensor<?x8x8x64xf32>
  tgx.yield %y : tensor<?x8x8x64xf32>
}

// Five windows per dimension are too many to unroll.
// CHECK-LABEL: func.func @under_many(
// CHECK: scf.for {{.*}} iter_args
// CHECK-LABEL: func.func @under_many.tiles(
tgx.kernel @under_many loop[s0](%g: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y = tg.avg_pool_grad %g {input_sizes = [8, 8], padding = "same", window = [5, 5]} : (tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  tgx.yield %y : tensor<?x8x8x64xf32>
}

// The same limit applies to the output positions that use an element.
// CHECK-LABEL: func.func @in_few(
// CHECK-NOT: iter_args
// CHECK-COUNT-16: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: iter_args
// CHECK-LABEL: func.func @in_few.tiles(
tgx.kernel @in_few loop[s0](%g: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y = tg.resize_grad %g {coordinates = "half_pixel", input_sizes = [4, 4], mode = "linear"} : (tensor<?x8x8x64xf32>) -> tensor<?x4x4x64xf32>
  tgx.yield %y : tensor<?x4x4x64xf32>
}

// CHECK-LABEL: func.func @in_many(
// CHECK: scf.for {{.*}} iter_args
// CHECK-LABEL: func.func @in_many.tiles(
tgx.kernel @in_many loop[s0](%g: tensor<?x16x16x64xf32> [s0, 16, 16, 64]) {
  %y = tg.resize_grad %g {coordinates = "half_pixel", input_sizes = [4, 4], mode = "linear"} : (tensor<?x16x16x64xf32>) -> tensor<?x4x4x64xf32>
  tgx.yield %y : tensor<?x4x4x64xf32>
}
