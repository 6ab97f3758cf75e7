// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f(%x: tensor<4x!foo.t> {tg.name = "x"}) { // <- bad
  return
}
