// expect: error: 'func.call' op expected to call a private function, found no function of the name; there is none [M3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = func.call @g(%x) : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
