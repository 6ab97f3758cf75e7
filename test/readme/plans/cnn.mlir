// A model with a convolution.
func.func @test(%x: tensor<?x16x16x32xf32> {tg.name = "x", tg.dims = ["batch", "", "", ""]},
                %w: tensor<3x3x32x32xf32> {tg.name = "w"}) -> (tensor<?x16x16x32xf32> {tg.name = "y"}) {
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x16x16x32xf32>, tensor<3x3x32x32xf32>) -> tensor<?x16x16x32xf32>
  return %y : tensor<?x16x16x32xf32>
}
