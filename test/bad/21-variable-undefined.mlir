// expect: error: 'tg.read' op
// expect: [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.read @w : tensor<f32> // <- bad
  return %y : tensor<f32>
}
