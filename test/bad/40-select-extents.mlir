// expect: error: 'tg.select' op
// expect: [C2]
func.func @f(%c: tensor<3xi1> {tg.name = "c"}, %x: tensor<2xf32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.select %c, %x, %x : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
