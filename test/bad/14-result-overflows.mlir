// expect: error:
// expect: [G1]
func.func @f(%x: tensor<4294967296x1xf32> {tg.name = "x"}, %z: tensor<1x4294967296xf32> {tg.name = "z"})
    -> (tensor<f32> {tg.name = "result"}) {
  %c = tg.constant dense<0.0> : tensor<f32>
  %y = tg.add %x, %z : (tensor<4294967296x1xf32>, tensor<1x4294967296xf32>) -> tensor<4294967296x4294967296xf32> // <- bad
  return %c : tensor<f32>
}
