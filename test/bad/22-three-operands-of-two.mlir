// expect: error:
// expect: 2 operands
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = "tg.add"(%x, %x, %x) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
