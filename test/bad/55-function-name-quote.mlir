// expect: error:
// expect: [M1]
func.func @"a\22b"() { // <- bad
  return
}
