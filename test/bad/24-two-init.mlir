// expect: error:
// expect: [M4]
func.func @a() attributes {tg.role = "init"} {
  return
}
func.func @b() attributes {tg.role = "init"} { // <- bad
  return
}
