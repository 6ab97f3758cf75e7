// expect: error: 'tg.variable' op expected a name with @ before it, as @name, found 'w' [M0]
tg.variable w : tensor<f32> // <- bad
func.func @f() {
  return
}
