// expect-accepted
tg.variable @errno : tensor<f32>
func.func @malloc(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @_init(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @_fini(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @memcpy(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @expf(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @tg_model_get(%x: tensor<4xf32> {tg.name = "free"}) -> (tensor<4xf32> {tg.name = "exit"}) {
  %y = tg.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
