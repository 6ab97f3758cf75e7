// expect: error:
// expect: [C5]
tg.variable @w {trainable} : tensor<f32>
func.func @f() -> (tensor<f32> {tg.name = "result"}) {
  tg.update [[@w]] : () -> () {
  ^bb0(%e: tensor<f32>):
    %d = tg.add %e, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %d : tensor<f32>
  }
  %w = tg.read @w : tensor<f32>
  %y = tg.gradient %w variables [@w] : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
