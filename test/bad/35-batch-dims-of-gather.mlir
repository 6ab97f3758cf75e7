// expect: error: 'tg.gather' op
// expect: [C1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %i: tensor<4xi32> {tg.name = "i"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.gather %x, %i {batch_dims = 1} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
