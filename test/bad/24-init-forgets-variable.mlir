// expect: error:
// expect: [M5]
// expect: 'w'
tg.variable @w : tensor<f32>
func.func @f() attributes {tg.role = "init"} { // <- bad
  return
}
