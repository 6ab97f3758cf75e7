// expect: error: 'tg.softmax' op expected an attribute 'axis', found none [G6]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.softmax %x : tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
