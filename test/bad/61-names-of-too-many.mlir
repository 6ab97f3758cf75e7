// expect: error: expected names for 1 result, found 2 [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y, %z = tg.neg %x : tensor<f32> // <- bad
  return %y : tensor<f32>
}
