// expect: error: 'tg.matmul' op expected lhs dim 1 (3) to equal rhs dim 0 (4) [C2]
func.func @f(%x: tensor<2x3xf32> {tg.name = "x"}, %z: tensor<4x5xf32> {tg.name = "z"})
    -> (tensor<2x5xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %z : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32> // <- bad
  return %y : tensor<2x5xf32>
}
