// expect: error: 'tg.gather' op
// expect: [R1]
func.func @f(%x: tensor<0xf32> {tg.name = "x"})
    -> (tensor<1xf32> {tg.name = "result"}) {
  %i = tg.constant dense<0> : tensor<1xi32>
  %y = tg.gather %x, %i : (tensor<0xf32>, tensor<1xi32>) -> tensor<1xf32> // <- bad
  return %y : tensor<1xf32>
}
