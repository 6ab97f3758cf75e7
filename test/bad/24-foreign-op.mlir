// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f() {
  %c = arith.constant 1.0 : f32 // <- bad
  return
}
