// expect: error: 'tg.slice' op
// expect: [G4]
func.func @f(%x: tensor<10xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.slice %x {sizes = [4], starts = [-2], strides = [1]} : (tensor<10xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
