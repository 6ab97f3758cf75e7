// expect: error:
// expect: [G1]
func.func @f(%x: tensor<0xf32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %c = tg.constant dense<0.0> : tensor<f32>
  %y = tg.reshape %x {shape = [4294967296, 4294967296]} : (tensor<0xf32>) -> tensor<4294967296x4294967296xf32> // <- bad
  return %c : tensor<f32>
}
