// expect: error: expected a new name of a function or variable, found 'f' again [M0]
func.func @f() {
  return
}
func.func @f() { // <- bad
  return
}
