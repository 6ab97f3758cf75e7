// expect: error:
// expect: [M3]
func.func private @f() {
  return
}
