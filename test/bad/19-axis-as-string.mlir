// expect: 'tg.softmax' op expected attribute 'axis' to be an integer, found "0" [G6]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.softmax %x {axis = "0"} : tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
