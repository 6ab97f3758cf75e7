// expect: error:
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %x {foo.a = #foo.b<3>} : tensor<f32> // <- bad
  return %y : tensor<f32>
}
