// expect: error: 'tg.conv' op expected input dim 1 to hold a window that spans 5 elements, found 4 with pads [C7]
func.func @f(%x: tensor<1x4x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x2x6x6xf32> {tg.name = "result"}) {
  %y = tg.conv %x, %w {dilations = [2, 1]} : (tensor<1x4x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x2x6x6xf32> // <- bad
  return %y : tensor<1x2x6x6xf32>
}
