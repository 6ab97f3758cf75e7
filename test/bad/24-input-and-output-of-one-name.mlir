// expect: error: 'func.func' op result 1: expected unique names, found 'x' twice, first at argument 1 [M2]
func.func @f(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "x"}) { // <- bad
  %y = tg.neg %x : tensor<f32>
  return %y : tensor<f32>
}
