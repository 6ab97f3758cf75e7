// expect: error: integer bitwidth is limited to 16777215 bits
func.func @f(%x: tensor<4xi16777216> {tg.name = "x"}) { // <- bad
  return
}
