// expect: error: resource 'r' has no blob in the text [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.constant dense_resource<r> : tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
