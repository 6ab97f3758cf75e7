// expect: error:
// expect: [M8]
func.func @f() attributes {tg.role = 3} { // <- bad
  return
}
