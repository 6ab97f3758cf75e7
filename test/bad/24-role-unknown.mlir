// expect: error:
// expect: [M8]
func.func @f() attributes {tg.role = "serve"} { // <- bad
  return
}
