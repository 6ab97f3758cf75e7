// expect: error: 'tg.gather' op
// expect: [R1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %i = tg.constant dense<[0, -1]> : tensor<2xi64>
  %y = tg.gather %x, %i : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
