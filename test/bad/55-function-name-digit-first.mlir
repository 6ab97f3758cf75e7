// expect: error:
// expect: [M1]
func.func @"1a"() { // <- bad
  return
}
