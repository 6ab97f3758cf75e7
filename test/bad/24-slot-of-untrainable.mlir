// expect: error: 'tg.variable' op
// expect: [C3]
tg.variable @w : tensor<f32>
tg.variable @m {slot_of = @w} : tensor<f32> // <- bad
func.func @f() {
  return
}
