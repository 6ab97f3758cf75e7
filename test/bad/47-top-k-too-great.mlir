// expect: error: 'tg.top_k' op
// expect: [C4]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<5xi64> {tg.name = "result"}) {
  %v, %y = tg.top_k %x {k = 5} : (tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi64>) // <- bad
  return %y : tensor<5xi64>
}
