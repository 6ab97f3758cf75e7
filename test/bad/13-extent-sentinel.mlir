// expect: [G1]
func.func @f(%x: tensor<9223372036854775808xf32> {tg.name = "x"}) { // <- bad
  return
}
