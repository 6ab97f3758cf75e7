// expect: error: 'tg.add' op
// expect: [G2]
func.func @f(%x: tensor<2xf32> {tg.name = "x"})
    -> (tensor<?xf32> {tg.name = "result"}) {
  %y = tg.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32> // <- bad
  return %y : tensor<?xf32>
}
