// expect: error: 'func.func' op argument 2: expected a tg.name, found none [M2]
func.func @f(%x: tensor<f32> {tg.name = "x"},
             %z: tensor<f32>, // <- bad
             %w: tensor<f32> {tg.name = "w"})
    -> (tensor<f32> {tg.name = "result"}) {
  return %x : tensor<f32>
}
