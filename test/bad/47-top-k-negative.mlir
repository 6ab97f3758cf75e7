// expect: error: 'tg.top_k' op
// expect: [C3]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xi64> {tg.name = "result"}) {
  %v, %y = tg.top_k %x {k = -2} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) // <- bad
  return %y : tensor<4xi64>
}
