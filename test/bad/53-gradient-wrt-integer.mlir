// expect: error: 'tg.gradient' op
// expect: [C2]
func.func @f(%x: tensor<f32> {tg.name = "x"}, %i: tensor<i32> {tg.name = "i"})
    -> (tensor<i32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%i) : (tensor<f32>, tensor<i32>) -> tensor<i32> // <- bad
  return %y : tensor<i32>
}
