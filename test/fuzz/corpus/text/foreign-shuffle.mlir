// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f(%x: f32) {
  %y = vector.shuffle %x, %x [0] : f32, f32 // <- bad
  return
}
