// expect: error:
// expect: [M3]
// expect: [M3]
func.func private @g() // <- bad
func.func @f() {
  return
}
