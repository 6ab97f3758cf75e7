// expect: error: 'tg.matmul' op
// expect: [C1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %z: tensor<4x4xf32> {tg.name = "z"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.matmul %z, %x : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
