// expect: [M9]
// expect: error: expected an operation, found 'tg.nope'
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.nope %x : tensor<f32> // <- bad
  return %y : tensor<f32>
}
