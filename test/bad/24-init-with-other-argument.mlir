// expect: error:
// expect: [M4]
func.func @f(%x: tensor<f32> {tg.name = "x"}) attributes {tg.role = "init"} { // <- bad
  return
}
