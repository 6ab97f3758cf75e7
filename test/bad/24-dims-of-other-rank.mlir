// expect: error:
// expect: [M7]
func.func @f(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["n"]}) { // <- bad
  return
}
