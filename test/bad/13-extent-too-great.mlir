// expect: [G1]
func.func @f(%x: tensor<18446744073709551616xf32> {tg.name = "x"}) { // <- bad
  return
}
