// expect: error:
// expect: [M5]
tg.variable @w : tensor<f32>
func.func @f() attributes {tg.role = "init"} {
  %w = tg.read @w : tensor<f32> // <- bad
  tg.assign @w, %w : tensor<f32>
  return
}
