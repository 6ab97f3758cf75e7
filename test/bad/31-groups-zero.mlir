// expect: 'tg.conv' op expected attribute 'groups' to be an integer whose value is positive, found 0 [G6]
func.func @f(%x: tensor<1x4x8x4xf32> {tg.name = "x"}, %w: tensor<3x3x4x6xf32> {tg.name = "w"})
    -> (tensor<1x2x6x6xf32> {tg.name = "result"}) {
  %y = tg.conv %x, %w {groups = 0} : (tensor<1x4x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x2x6x6xf32> // <- bad
  return %y : tensor<1x2x6x6xf32>
}
