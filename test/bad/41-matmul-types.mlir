// expect: error: 'tg.matmul' op
// expect: [C4]
func.func @f(%x: tensor<4x4xf32> {tg.name = "x"}, %z: tensor<4x4xf64> {tg.name = "z"})
    -> (tensor<4x4xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %z : (tensor<4x4xf32>, tensor<4x4xf64>) -> tensor<4x4xf32> // <- bad
  return %y : tensor<4x4xf32>
}
