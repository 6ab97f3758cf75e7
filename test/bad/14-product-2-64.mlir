// expect: error: tensor type has 2^63 bytes or more, expected fewer [G1]
func.func @f(%x: tensor<4294967296x4294967296xi8> {tg.name = "x"}) { // <- bad
  return
}
