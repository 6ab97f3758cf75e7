// expect: error: 'tg.gradient' op
// expect: [C4]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %i = tg.cast %x {element_type = i32} : (tensor<f32>) -> tensor<i32>
  %s = tg.cast %i {element_type = f32} : (tensor<i32>) -> tensor<f32>
  %y = tg.gradient %s wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
