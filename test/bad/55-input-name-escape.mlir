// expect: error:
// expect: [M1]
func.func @f(%x: tensor<f32> {tg.name = "\1B[31mred"}) { // <- bad
  return
}
