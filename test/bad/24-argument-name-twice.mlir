// expect: error:
// expect: [M2]
func.func @f(%x: tensor<f32> {tg.name = "x"}, %y: tensor<f32> {tg.name = "x"}) { // <- bad
  return
}
