// expect: error:
// expect: [M2]
func.func @f(%x: tensor<f32> {tg.name = "x"}) -> tensor<f32> { // <- bad
  return %x : tensor<f32>
}
