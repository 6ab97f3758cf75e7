// expect: error:
func.func @f(%x: tensor<f32> {tg.name = "x"}) {
  tg.yield %x : tensor<f32> // <- bad
}
