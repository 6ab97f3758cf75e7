// expect: error: 'tg.top_k' op
// expect: [C3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<1xi64> {tg.name = "result"}) {
  %v, %y = tg.top_k %x {k = 1} : (tensor<f32>) -> (tensor<1xf32>, tensor<1xi64>) // <- bad
  return %y : tensor<1xi64>
}
