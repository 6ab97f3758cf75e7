// RUN: tgc-opt %s --split-input-file --tgx-emit-kernels --verify-diagnostics

// Reductions over all rows of the result require products in register tiles.

// expected-error @+1 {{expected vectors, and a floating-point matrix product without batch dimensions or a convolution, to reduce rows of the result}}
tgx.kernel @matrices contraction(%x: tensor<3x4x10xf32>, %w: tensor<3x10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<3x4x10xf32>, tensor<3x10x20xf32>) -> tensor<3x4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1]} : (tensor<3x4x20xf32>) -> tensor<20xf32>
  tgx.yield %1 : tensor<20xf32>
}

// -----

// expected-error @+1 {{expected reductions over all rows of the contraction's result, and no row that reads a reduced value, found others}}
tgx.kernel @columns contraction(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [1]} : (tensor<4x20xf32>) -> tensor<4xf32>
  tgx.yield %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected reductions over all rows of the contraction's result, and no row that reads a reduced value, found others}}
tgx.kernel @phases contraction(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0], keep_dims} : (tensor<4x20xf32>) -> tensor<1x20xf32>
  %2 = tg.sub %0, %1 : (tensor<4x20xf32>, tensor<1x20xf32>) -> tensor<4x20xf32>
  tgx.yield %2 : tensor<4x20xf32>
}

// -----

// A kernel that names an algorithm is never lowered by another one.

// expected-error @+1 {{expected a 3x3 convolution with stride 1 and static channels, or a gradient of one, for the algorithm 'winograd'}}
tgx.kernel @steps contraction(%x: tensor<1x9x9x32xf32>, %w: tensor<3x3x32x32xf32>) attributes {algorithm = "winograd"} {
  %0 = tg.conv %x, %w {strides = [2, 2]} : (tensor<1x9x9x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x4x4x32xf32>
}

// -----

// expected-error @+1 {{expected a convolution with this kind of groups for the algorithm 'depthwise'}}
tgx.kernel @groups contraction(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x4x8xf32>) attributes {algorithm = "depthwise"} {
  %0 = tg.conv %x, %w {groups = 2 : i64} : (tensor<1x9x9x8xf32>, tensor<3x3x4x8xf32>) -> tensor<1x7x7x8xf32>
}
