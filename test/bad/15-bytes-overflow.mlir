// expect: error: tensor type has 2^63 bytes or more, expected fewer [G1]
func.func @f(%x: tensor<3037000499x3037000499xf64> {tg.name = "x"}) { // <- bad
  return
}
