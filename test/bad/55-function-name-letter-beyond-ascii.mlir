// expect: error:
// expect: [M1]
func.func @"ä"() { // <- bad
  return
}
