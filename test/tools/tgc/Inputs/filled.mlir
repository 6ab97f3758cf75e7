func.func @filled() -> (tensor<4xi64> {tg.name = "y"}) {
  %y = tg.iota {axis = 0, shape = [4]} : () -> tensor<4xi64>
  return %y : tensor<4xi64>
}
