// expect: error:
// expect: [G1]
// expect: [G1]
func.func @f(%x: tensor<4xf32, "sparse"> {tg.name = "x"}) { // <- bad
  return
}
