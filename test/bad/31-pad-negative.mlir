// expect: error: 'tg.conv' op expected pads of at least 0, found -1 [C4]
func.func @f(%x: tensor<1x4x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x2x6x6xf32> {tg.name = "result"}) {
  %y = tg.conv %x, %w {padding = "explicit", pads = [0, -1, 0, 0]} : (tensor<1x4x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x2x6x6xf32> // <- bad
  return %y : tensor<1x2x6x6xf32>
}
