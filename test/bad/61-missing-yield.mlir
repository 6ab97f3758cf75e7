// expect: error: 'tg.while' op expected 'tg.yield' at its end, found 'tg.add' in line 11 [M3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %one = tg.constant dense<1.0> : tensor<f32>
  %y = "tg.while"(%x) ({ // <- bad
  ^bb0(%a: tensor<f32>):
    %c = tg.compare lt, %a, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "tg.yield"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    %b = tg.add %a, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
