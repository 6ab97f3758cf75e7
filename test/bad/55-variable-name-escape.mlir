// expect: error:
// expect: [M1]
tg.variable @"\1B[31mred" : tensor<f32> // <- bad
func.func @f() {
  return
}
