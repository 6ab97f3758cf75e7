// expect: error: 'tg.update' op
// expect: [C1]
tg.variable @w {trainable} : tensor<4xf32>
tg.variable @b {trainable} : tensor<2xf32>
func.func @f(%g: tensor<4xf32> {tg.name = "g"}) {
  tg.update [[@nope]] : () -> () { // <- bad
  ^bb0(%e: tensor<f32>):
    tg.yield %e : tensor<f32>
  }
  return
}
