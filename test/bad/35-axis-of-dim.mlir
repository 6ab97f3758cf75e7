// expect: error: 'tg.dim' op
// expect: [G3]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<i64> {tg.name = "result"}) {
  %y = tg.dim %x {axis = 2} : (tensor<2x2xf32>) -> tensor<i64> // <- bad
  return %y : tensor<i64>
}
