// expect: error:
// expect: [C5]
tg.variable @w {trainable} : tensor<4xf32>
func.func @f(%g: tensor<4xf32> {tg.name = "g"}) {
  tg.update [[@w]] : () -> () {
  ^bb0(%e: tensor<f32>):
    %s = tg.reduce_sum %g : (tensor<4xf32>) -> tensor<f32>
    tg.yield %s : tensor<f32>
  }
  return
}
