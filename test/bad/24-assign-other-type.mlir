// expect: error: 'tg.assign' op
// expect: [C2]
tg.variable @w : tensor<f32>
func.func @f(%x: tensor<2xf32> {tg.name = "x"}) {
  tg.assign @w, %x : tensor<2xf32> // <- bad
  return
}
