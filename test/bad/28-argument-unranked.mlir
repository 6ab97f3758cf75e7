// expect: error:
// expect: [G1]
// expect: [G1]
func.func @f(%x: tensor<*xf32> {tg.name = "x"}) { // <- bad
  return
}
