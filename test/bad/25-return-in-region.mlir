// expect: error: expected 'tg.yield' at the end of the region that begins in line 8, found 'return' [M3]
func.func @f(%n: tensor<f32> {tg.name = "n"}) -> (tensor<f32> {tg.name = "y"}) {
  %lim = tg.constant dense<10.0> : tensor<f32>
  %y = tg.while inits(%n) : (tensor<f32>) -> tensor<f32> cond {
  ^bb0(%a: tensor<f32>):
    %c = tg.compare lt, %a, %lim : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.yield %c : tensor<i1>
  } do {
  ^bb0(%b: tensor<f32>):
    %d = tg.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %d : tensor<f32> // <- bad
  }
  return %y : tensor<f32>
}
