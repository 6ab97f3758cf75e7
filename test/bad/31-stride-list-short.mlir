// expect: error: 'tg.conv' op expected strides to have 2 entries, found 1 [C5]
func.func @f(%x: tensor<1x4x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x2x6x6xf32> {tg.name = "result"}) {
  %y = tg.conv %x, %w {strides = [2]} : (tensor<1x4x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x2x6x6xf32> // <- bad
  return %y : tensor<1x2x6x6xf32>
}
