// expect: error: 'tg.conv' op expected padded extents below 2^63, found 4 with pads 9223372036854775807 and 9223372036854775807 [C7]
func.func @f(%x: tensor<1x4x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x2x6x6xf32> {tg.name = "result"}) {
  %y = tg.conv %x, %w {padding = "explicit", pads = [9223372036854775807, 9223372036854775807, 0, 0]} : (tensor<1x4x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x2x6x6xf32> // <- bad
  return %y : tensor<1x2x6x6xf32>
}
