// RUN: tgc-opt %s --split-input-file --tgx-emit-kernels="kind=cuda level=16" --verify-diagnostics

tgx.kernel @scatter custom(%base: tensor<9x4xf32>, %index: tensor<5xi32>, %update: tensor<5x4xf32>) {
  // expected-error @+1 {{expected an op that targets of kind 'cuda' compute, found one with an emitter of its own}}
  %0 = tg.scatter %base, %index, %update : (tensor<9x4xf32>, tensor<5xi32>, tensor<5x4xf32>) -> tensor<9x4xf32>
  tgx.yield %0 : tensor<9x4xf32>
}

// -----

tgx.kernel @winograd contraction(%x: tensor<2x9x9x0xf32>, %w: tensor<3x3x0x16xf32>) {
  // expected-error @+1 {{expected a 3x3 convolution with at least one channel and one column, or a gradient of one, for Winograd tiles}}
  %0 = tg.conv %x, %w {tg.order = #tg.order<winograd = 4>} : (tensor<2x9x9x0xf32>, tensor<3x3x0x16xf32>) -> tensor<2x7x7x16xf32>
  tgx.yield %0 : tensor<2x7x7x16xf32>
}
