// expect: error:
// expect: [M6]
tg.variable @w : tensor<f32>
func.func @f(%x: tensor<f32> {tg.name = "x"}) attributes {tg.role = "test"} {
  tg.assign @w, %x : tensor<f32> // <- bad
  return
}
