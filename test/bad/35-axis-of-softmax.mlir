// expect: error: 'tg.softmax' op
// expect: [G3]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.softmax %x {axis = 2} : tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
