// expect: error: 'tg.scatter' op
// expect: [R1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %u: tensor<2xf32> {tg.name = "u"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %i = tg.constant dense<[0, 4]> : tensor<2xi32>
  %y = tg.scatter %x, %i, %u : (tensor<4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
