// expect: error: 'tg.matmul' op
// expect: [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.matmul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
