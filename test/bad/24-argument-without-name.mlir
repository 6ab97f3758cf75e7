// expect: error:
// expect: [M2]
func.func @f(%x: tensor<f32>) { // <- bad
  return
}
