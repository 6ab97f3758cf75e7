// expect: error: 'tg.concat' op
// expect: [G3]
func.func @f(%x: tensor<2xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.concat %x, %x {axis = 1} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
