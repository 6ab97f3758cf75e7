// expect: error:
// expect: [M1]
tg.variable @"../a" : tensor<f32> // <- bad
func.func @f() {
  return
}
