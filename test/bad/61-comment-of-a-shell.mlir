// expect: error: expected the name of an attribute after #, found '#'; comments begin with // [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.relu %x : tensor<f32>
  # a comment // <- bad
  return %y : tensor<f32>
}
