// expect: error:
// expect: [M1]
func.func @"a\0Ab"() { // <- bad
  return
}
