// expect: error:
func.func @f(%x: f32 {tg.name = "x"}) { // <- bad
  return
}
