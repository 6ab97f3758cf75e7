// RUN: tgc-opt %s --split-input-file --tgx-emit-kernels --verify-diagnostics

// Reductions of rows stand beside products in register tiles alone.

// expected-error @+1 {{expected a product of one matrix, or of windows, in floating point beside reductions of its rows}}
tgx.kernel @matrices contraction(%x: tensor<3x4x10xf32>, %w: tensor<3x10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<3x4x10xf32>, tensor<3x10x20xf32>) -> tensor<3x4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0, 1]} : (tensor<3x4x20xf32>) -> tensor<20xf32>
  tgx.yield %1 : tensor<20xf32>
}

// -----

// expected-error @+1 {{expected a product of one matrix, or of windows, in floating point beside reductions of its rows}}
tgx.kernel @columns contraction(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [1]} : (tensor<4x20xf32>) -> tensor<4xf32>
  tgx.yield %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a product of one matrix, or of windows, in floating point beside reductions of its rows}}
tgx.kernel @phases contraction(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) {
  %0 = tg.matmul %x, %w : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
  %1 = tg.reduce_sum %0 {axes = [0], keep_dims} : (tensor<4x20xf32>) -> tensor<1x20xf32>
  %2 = tg.sub %0, %1 : (tensor<4x20xf32>, tensor<1x20xf32>) -> tensor<4x20xf32>
  tgx.yield %2 : tensor<4x20xf32>
}
