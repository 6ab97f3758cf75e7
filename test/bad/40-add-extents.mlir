// expect: error: 'tg.add' op
// expect: [C2]
func.func @f(%x: tensor<2x3xf32> {tg.name = "x"}, %z: tensor<2x4xf32> {tg.name = "z"})
    -> (tensor<2x3xf32> {tg.name = "result"}) {
  %y = tg.add %x, %z : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32> // <- bad
  return %y : tensor<2x3xf32>
}
