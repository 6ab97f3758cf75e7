// expect: error: 'tg.concat' op
// expect: [C2]
func.func @f(%x: tensor<2xf32> {tg.name = "x"}, %z: tensor<2xi32> {tg.name = "z"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.concat %x, %z {axis = 0} : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
