// expect: error:
// expect: [M1]
func.func @"a/./b"() { // <- bad
  return
}
