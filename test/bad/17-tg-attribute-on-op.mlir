// expect: error: 'tg.abs' op
// expect: [G5]
// expect: tg.name
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %x {tg.name = "y"} : tensor<f32> // <- bad
  return %y : tensor<f32>
}
