// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = "foo.bar"(%x) : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
