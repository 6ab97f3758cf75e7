// expect: error: 'tg.slice' op
// expect: [C2]
func.func @f(%x: tensor<10xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.slice %x {sizes = [4], starts = [0], strides = [0]} : (tensor<10xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
