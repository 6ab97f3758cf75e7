// expect: error: expected '=' after the names of results, found 'tg.exp' [M0]
func.func @f(%x: tensor<3xf32> {tg.name = "x"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y tg.exp %x : tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
