// expect: error: 'tg.matmul' op
// expect: [C3]
func.func @f(%x: tensor<2x4x4xf32> {tg.name = "x"}, %z: tensor<3x4x4xf32> {tg.name = "z"})
    -> (tensor<2x4x4xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %z : (tensor<2x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32> // <- bad
  return %y : tensor<2x4x4xf32>
}
