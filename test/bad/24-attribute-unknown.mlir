// expect: error:
// expect: [M8]
func.func @f() attributes {tg.roll = "init"} { // <- bad
  return
}
