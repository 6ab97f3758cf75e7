// expect: error: 'tg.conv_transpose' op expected input dim 1 (2) to equal the windows over result dim 1 (3) [C8]
func.func @f(%x: tensor<1x2x6x6xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x5x8x4xf32> {tg.name = "result"}) {
  %y = tg.conv_transpose %x, %w {output_sizes = [5, 8]} : (tensor<1x2x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x5x8x4xf32> // <- bad
  return %y : tensor<1x5x8x4xf32>
}
