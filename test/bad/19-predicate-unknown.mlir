// expect: error: 'tg.compare' op expected a word to be one of: eq, ne, lt, le, gt, ge, found '
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<i1> {tg.name = "result"}) {
  %y = tg.compare less, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1> // <- bad
  return %y : tensor<i1>
}
