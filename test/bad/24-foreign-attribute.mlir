// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f() attributes {a = #llvm.linkage<external>} { // <- bad
  return
}
