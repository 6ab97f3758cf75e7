// expect: error:
// expect: [G1]
// expect: [G1]
func.func @f(%x: tensor<4xindex> {tg.name = "x"}) { // <- bad
  return
}
