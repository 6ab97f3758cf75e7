// expect: error: 'tg.add' op expected extents 4 and 5 of result dim 1 to be equal or 1, found shapes [3, 4] and [5] [C2]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %z: tensor<5xf32> {tg.name = "z"})
    -> (tensor<3x4xf32> {tg.name = "result"}) {
  %y = tg.add %x, %z : (tensor<3x4xf32>, tensor<5xf32>) -> tensor<3x4xf32> // <- bad
  return %y : tensor<3x4xf32>
}
