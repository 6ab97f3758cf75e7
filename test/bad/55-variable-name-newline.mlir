// expect: error:
// expect: [M1]
tg.variable @"a\0Ab" : tensor<f32> // <- bad
func.func @f() {
  return
}
