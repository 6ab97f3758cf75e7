// expect: error: 'tg.add' op
// expect: [G2]
func.func @f(%x: tensor<2xf32> {tg.name = "x"})
    -> (tensor<2xf64> {tg.name = "result"}) {
  %y = tg.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64> // <- bad
  return %y : tensor<2xf64>
}
