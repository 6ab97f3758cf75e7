// expect: error: 'tg.reshape' op
// expect: [C1]
func.func @f(%x: tensor<0xf32> {tg.name = "x"})
    -> (tensor<?x0xf32> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [-1, 0]} : (tensor<0xf32>) -> tensor<?x0xf32> // <- bad
  return %y : tensor<?x0xf32>
}
