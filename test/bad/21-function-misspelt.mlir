// expect: no function of the name; did you mean 'helper'? [M3]
func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = call @helpr(%x) : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
