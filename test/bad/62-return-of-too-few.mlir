// expect: error: 'func.return' op expected to return 2 values, as function @f does, found 1 [M3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "a"}, tensor<f32> {tg.name = "b"}) {
  return %x : tensor<f32> // <- bad
}
