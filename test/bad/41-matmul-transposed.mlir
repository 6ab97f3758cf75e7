// expect: error: 'tg.matmul' op
// expect: [C2]
func.func @f(%x: tensor<2x3xf32> {tg.name = "x"}, %z: tensor<3x5xf32> {tg.name = "z"})
    -> (tensor<2x3xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %z {transpose_rhs} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x3xf32> // <- bad
  return %y : tensor<2x3xf32>
}
