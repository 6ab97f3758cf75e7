// expect: error:
func.func @f() {
  return
^bb1: // <- bad
  return
}
