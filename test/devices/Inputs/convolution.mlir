// A convolution that Winograd's algorithm computes faster.
func.func @conv(%x: tensor<32x28x28x32xf32> {tg.name = "x"}, %w: tensor<3x3x32x64xf32> {tg.name = "w"}) -> (tensor<32x28x28x64xf32> {tg.name = "y"}) {
  %y = tg.conv %x, %w {padding = "same"} : (tensor<32x28x28x32xf32>, tensor<3x3x32x64xf32>) -> tensor<32x28x28x64xf32>
  return %y : tensor<32x28x28x64xf32>
}
