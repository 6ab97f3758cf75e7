// expect: error:
// expect: [M8]
func.func @f(%x: tensor<?xf32> {tg.name = "x", tg.dims = "n"}) { // <- bad
  return
}
