// expect: error: expected %x to be 'tensor<3xf64>', as in line 2, found 'tensor<3xf32>' [M0]
func.func @f(%x: tensor<3xf64> {tg.name = "x"}) -> (tensor<3xf32> {tg.name = "y"}) {
  %y = tg.relu %x : tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
