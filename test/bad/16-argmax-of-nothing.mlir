// expect: error: 'tg.argmax' op
// expect: [C2]
func.func @f(%x: tensor<4x0xf32> {tg.name = "x"})
    -> (tensor<4xi64> {tg.name = "result"}) {
  %y = tg.argmax %x {axis = 1} : (tensor<4x0xf32>) -> tensor<4xi64> // <- bad
  return %y : tensor<4xi64>
}
