// expect: error:
// expect: [M1]
tg.variable @"a\00b" : tensor<f32> // <- bad
func.func @f() {
  return
}
