// expect: error: tensor type has 2^63 bytes or more, expected fewer [G1]
func.func @f(%x: tensor<1152921504606846976xi64> {tg.name = "x"}) { // <- bad
  return
}
