// expect: error: 'tg.update' op
// expect: [C4]
tg.variable @w {trainable} : tensor<4xf32>
tg.variable @b {trainable} : tensor<2xf32>
func.func @f(%g: tensor<4xf32> {tg.name = "g"}) {
  tg.update [[@w]] : () -> () { // <- bad
  ^bb0(%e: tensor<f64>):
    tg.yield %e : tensor<f64>
  }
  return
}
