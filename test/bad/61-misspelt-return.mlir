// expect: error: expected an operation, found 'retrun'; did you mean 'return'? [M9]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  retrun %x : tensor<f32> // <- bad
}
