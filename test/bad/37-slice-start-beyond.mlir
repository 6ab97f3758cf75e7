// expect: error: 'tg.slice' op
// expect: [C3]
func.func @f(%x: tensor<10xf32> {tg.name = "x"})
    -> (tensor<0xf32> {tg.name = "result"}) {
  %y = tg.slice %x {sizes = [0], starts = [11], strides = [1]} : (tensor<10xf32>) -> tensor<0xf32> // <- bad
  return %y : tensor<0xf32>
}
