// expect: error: expected '}' of the '{' in line 2, found the end of the text [M0]
module {
  func.func @f(%x: tensor<f32> {tg.name = "x"})
      -> (tensor<f32> {tg.name = "result"}) {
    return %x : tensor<f32>
  }
