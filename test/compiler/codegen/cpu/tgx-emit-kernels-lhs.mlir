// Rows of the lhs are read in place. They are copied if too many of them map to
// the same cache sets to stay in the cache.
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s

// Scratch for 48 x 128 sums and a panel of the rhs, 512 x 64.
// CHECK-DAG: #[[IN_PLACE:.*]] = affine_map<() -> (155648, 155648)>
// Scratch also for 48 copied rows, 512 elements and 16 more of each at a time.
// CHECK-DAG: #[[COPIED:.*]] = affine_map<() -> (257024, 257024)>

// CHECK: func.func @in_place({{.*}} attributes {tgx.scratch_bytes = #[[IN_PLACE]]}
tgx.kernel @in_place contraction(%x: tensor<48x960xf32>, %w: tensor<960x128xf32>) {
  %y = tg.matmul %x, %w : (tensor<48x960xf32>, tensor<960x128xf32>) -> tensor<48x128xf32>
  tgx.yield %y : tensor<48x128xf32>
}

// CHECK: func.func @copied({{.*}} attributes {tgx.scratch_bytes = #[[COPIED]]}
tgx.kernel @copied contraction(%x: tensor<48x4096xf32>, %w: tensor<4096x128xf32>) {
  %y = tg.matmul %x, %w : (tensor<48x4096xf32>, tensor<4096x128xf32>) -> tensor<48x128xf32>
  tgx.yield %y : tensor<48x128xf32>
}
