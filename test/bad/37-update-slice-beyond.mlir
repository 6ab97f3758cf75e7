// expect: error: 'tg.update_slice' op
// expect: [C3]
func.func @f(%x: tensor<10xf32> {tg.name = "x"}, %u: tensor<4xf32> {tg.name = "u"})
    -> (tensor<10xf32> {tg.name = "result"}) {
  %y = tg.update_slice %x, %u {starts = [7]} : (tensor<10xf32>, tensor<4xf32>) -> tensor<10xf32> // <- bad
  return %y : tensor<10xf32>
}
