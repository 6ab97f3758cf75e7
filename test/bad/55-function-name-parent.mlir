// expect: error:
// expect: [M1]
func.func @"../a"() { // <- bad
  return
}
