// expect: error: 'tg.concat' op
// expect: [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<0xf32> {tg.name = "result"}) {
  %y = tg.concat {axis = 0} : () -> tensor<0xf32> // <- bad
  return %y : tensor<0xf32>
}
