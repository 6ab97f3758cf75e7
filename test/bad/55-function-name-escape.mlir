// expect: error:
// expect: [M1]
func.func @"\1B[31mred"() { // <- bad
  return
}
