// expect: error: 'tg.gradient' op
// expect: [C2]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  tg.gradient %x : (tensor<f32>) -> () // <- bad
  return %x : tensor<f32>
}
