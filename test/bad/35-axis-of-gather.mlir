// expect: error: 'tg.gather' op
// expect: [G3]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %i: tensor<2xi32> {tg.name = "i"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.gather %x, %i {axis = 1} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
