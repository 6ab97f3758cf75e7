// expect: error:
// expect: [M9]
func.func @f() {
  %c = arith.constant 1.0 : f32 // <- bad
  return
}
