// expect: 'tg.cast' op expected attribute 'element_type' to be a type, found "f64" [G6]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f64> {tg.name = "result"}) {
  %y = tg.cast %x {element_type = "f64"} : (tensor<f32>) -> tensor<f64> // <- bad
  return %y : tensor<f64>
}
