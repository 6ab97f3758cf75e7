// expect: error:
// expect: [M7]
func.func @f(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y", tg.dims = ["n"]}) { // <- bad
  return %x : tensor<?xf32>
}
