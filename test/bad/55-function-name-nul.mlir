// expect: error:
// expect: [M1]
func.func @"a\00b"() { // <- bad
  return
}
