// expect: error: expected '}' of the '{' in line 8 before 'return', found none [M0]
func.func @f(%n: tensor<f32> {tg.name = "n"}) -> (tensor<f32> {tg.name = "y"}) {
  %lim = tg.constant dense<10.0> : tensor<f32>
  %y = tg.while inits(%n) : (tensor<f32>) -> tensor<f32> cond {
  ^bb0(%a: tensor<f32>):
    %c = tg.compare lt, %a, %lim : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.yield %c : tensor<i1>
  } do {
  ^bb0(%b: tensor<f32>):
    %d = tg.add %b, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %d : tensor<f32>
  return %y : tensor<f32> // <- bad
}
