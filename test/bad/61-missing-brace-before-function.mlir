// expect: error: expected '}' of function @f, which opens in line 3, before the next function, found none [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  return %x : tensor<f32>

func.func @g(%x: tensor<f32> {tg.name = "x"}) // <- bad
    -> (tensor<f32> {tg.name = "result"}) {
  return %x : tensor<f32>
}
