// expect: error:
func.func @""() { // <- bad
  return
}
