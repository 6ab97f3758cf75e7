// expect: error:
func.func @f(%x: tensor<4x!foo.t> {tg.name = "x"}) { // <- bad
  return
}
