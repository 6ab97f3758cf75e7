// expect: error: tensor type has rank 17, expected at most 16 [G1]
func.func @f(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> {tg.name = "x"}) { // <- bad
  return
}
