// expect: error: 'tg.concat' op
// expect: [C3]
func.func @f(%x: tensor<2x3xf32> {tg.name = "x"}, %z: tensor<2x4xf32> {tg.name = "z"})
    -> (tensor<4x3xf32> {tg.name = "result"}) {
  %y = tg.concat %x, %z {axis = 0} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32> // <- bad
  return %y : tensor<4x3xf32>
}
