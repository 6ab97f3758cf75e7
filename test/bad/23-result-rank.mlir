// expect: error: 'tg.matmul' op
// expect: [G2]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
