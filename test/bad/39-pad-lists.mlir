// expect: error: 'tg.pad' op
// expect: [C1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %v: tensor<f32> {tg.name = "v"})
    -> (tensor<5xf32> {tg.name = "result"}) {
  %y = tg.pad %x, %v {high = [0, 0], low = [1]} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32> // <- bad
  return %y : tensor<5xf32>
}
