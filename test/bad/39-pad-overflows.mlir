// expect: error:
// expect: [G1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %v: tensor<f32> {tg.name = "v"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.pad %x, %v {high = [9223372036854775807], low = [9223372036854775807]} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
