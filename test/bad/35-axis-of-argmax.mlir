// expect: error: 'tg.argmax' op
// expect: [G3]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<2xi64> {tg.name = "result"}) {
  %y = tg.argmax %x {axis = -1} : (tensor<2x2xf32>) -> tensor<2xi64> // <- bad
  return %y : tensor<2xi64>
}
