// expect: error: tensor type has 2^63 bytes or more, expected fewer [G1]
func.func @f(%x: tensor<?x4294967296x4294967296xf32> {tg.name = "x"}) { // <- bad
  return
}
