// expect: error:
// expect: 'tg.scatter' op
// expect: 'combine'
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %i: tensor<2xi32> {tg.name = "i"}, %u: tensor<2xf32> {tg.name = "u"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.scatter %x, %i, %u {combine = "subtract"} : (tensor<4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
