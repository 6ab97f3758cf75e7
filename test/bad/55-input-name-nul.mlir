// expect: error:
// expect: [M1]
func.func @f(%x: tensor<f32> {tg.name = "a\00b"}) { // <- bad
  return
}
