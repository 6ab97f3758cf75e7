// expect: error: 'tg.iota' op
// expect: [G3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<4xi64> {tg.name = "result"}) {
  %y = tg.iota {axis = 1, shape = [4]} : () -> tensor<4xi64> // <- bad
  return %y : tensor<4xi64>
}
