// expect: error: redefinition of symbol named 'f'
func.func @f() {
  return
}
func.func @f() { // <- bad
  return
}
