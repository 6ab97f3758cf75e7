// expect: error:
// expect: [M6]
tg.variable @w : tensor<f32>
func.func private @g(%x: tensor<f32>) {
  tg.assign @w, %x : tensor<f32>
  return
}
func.func @f(%x: tensor<f32> {tg.name = "x"}) attributes {tg.role = "test"} {
  func.call @g(%x) : (tensor<f32>) -> ()
  return
}
