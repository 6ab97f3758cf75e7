// RUN: tgc-opt %s --split-input-file --tgx-emit-kernels="kind=cuda level=16" --verify-diagnostics

// expected-error @+1 {{expected an op that targets of kind 'cuda' compute, found none}}
tgx.kernel @pack custom(%w: tensor<4x40xf32>) {
  %0 = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
  tgx.yield %0 : tensor<1x4x64xf32>
}

// -----

tgx.kernel @winograd contraction(%x: tensor<2x9x9x0xf32>, %w: tensor<3x3x0x16xf32>) {
  // expected-error @+1 {{expected a 3x3 convolution with at least one channel and one column, or a gradient of one, for Winograd tiles}}
  %0 = tg.conv %x, %w {tg.order = #tg.order<winograd = 4>} : (tensor<2x9x9x0xf32>, tensor<3x3x0x16xf32>) -> tensor<2x7x7x16xf32>
  tgx.yield %0 : tensor<2x7x7x16xf32>
}
