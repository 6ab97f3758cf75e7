// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f(%x: vector<f32>) {
  %y = vector.outerproduct %x, %x : vector<f32>, vector<f32> // <- bad
  return
}
