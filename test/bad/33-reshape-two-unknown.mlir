// expect: error: 'tg.reshape' op
// expect: [C1]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<?x?xf32> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [-1, -1]} : (tensor<4xf32>) -> tensor<?x?xf32> // <- bad
  return %y : tensor<?x?xf32>
}
