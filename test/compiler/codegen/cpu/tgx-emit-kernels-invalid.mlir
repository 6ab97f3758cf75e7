// RUN: tgc-opt %s --split-input-file --tgx-emit-kernels --verify-diagnostics

// Reductions over all rows of the result require products in register tiles.

// expected-error @+1 {{expected vectors, and a floating-point matrix product without batch dimensions or a convolution, to reduce rows of the result}}
tgx.kernel @matrices contraction(%x: tensor<3x4x10xf32>, %w: tensor<3x10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<3x4x10xf32>, tensor<3x10x20xf32>) -> tensor<3x4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1]} : (tensor<3x4x20xf32>) -> tensor<20xf32>
  tgx.yield %1 : tensor<20xf32>
}

// -----

// The order of the sum has blocks of whole register tiles.

// expected-error @+1 {{expected vectors, and a floating-point matrix product without batch dimensions or a convolution, to reduce rows of the result}}
tgx.kernel @blocks contraction(%x: tensor<40x10xf32>, %w: tensor<10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<40x10xf32>, tensor<10x20xf32>) -> tensor<40x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0], tg.order = #tg.order<lines = [16, 64]>} : (tensor<40x20xf32>) -> tensor<20xf32>
  tgx.yield %1 : tensor<20xf32>
}

// -----

// The rows follow each other through all images: lines are short, and no phases
// of a stride are computed apart.

// expected-error @+1 {{expected vectors, and a floating-point matrix product without batch dimensions or a convolution, to reduce rows of the result}}
tgx.kernel @lines contraction[s0](%x: tensor<1x3x?x2xf32> [1, 3, s0, 2], %w: tensor<3x3x2x20xf32>) {
  %0 = tg.conv %x, %w {padding = "same"} : (tensor<1x3x?x2xf32>, tensor<3x3x2x20xf32>) -> tensor<1x3x?x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1, 2]} : (tensor<1x3x?x20xf32>) -> tensor<20xf32>
  tgx.yield %1 : tensor<20xf32>
}

// -----

// expected-error @+1 {{expected vectors, and a floating-point matrix product without batch dimensions or a convolution, to reduce rows of the result}}
tgx.kernel @phases contraction(%y: tensor<1x6x5x8xf32>, %w: tensor<3x3x18x8xf32>) {
  %0 = tg.conv_transpose %y, %w {output_sizes = [11, 9], padding = "explicit", pads = [1, 1, 1, 1], strides = [2, 2]} : (tensor<1x6x5x8xf32>, tensor<3x3x18x8xf32>) -> tensor<1x11x9x18xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1, 2]} : (tensor<1x11x9x18xf32>) -> tensor<18xf32>
  tgx.yield %1 : tensor<18xf32>
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
