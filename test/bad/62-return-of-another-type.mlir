// expect: error: expected value 1 that function @f returns to be 'tensor<f32>', found 'tensor<i64>' [M3]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.dim %x {axis = 0} : (tensor<4xf32>) -> tensor<i64>
  return %y : tensor<i64> // <- bad
}
