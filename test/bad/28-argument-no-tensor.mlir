// expect: error:
// expect: [G1]
func.func @f(%x: f32 {tg.name = "x"}) { // <- bad
  return
}
