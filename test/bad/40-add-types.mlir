// expect: error: 'tg.add' op
// expect: [C1]
func.func @f(%x: tensor<2xf32> {tg.name = "x"}, %z: tensor<2xf64> {tg.name = "z"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.add %x, %z : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
