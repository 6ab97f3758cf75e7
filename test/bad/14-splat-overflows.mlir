// expect: 2^63 bytes or more, expected fewer [G1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %c = tg.constant dense<0.0> : tensor<4294967296x4294967296xf32> // <- bad
  return %x : tensor<f32>
}
