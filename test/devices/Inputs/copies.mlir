module @copies {
  tg.variable @w : tensor<4xf32>

  // Functions of copies alone.
  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.0> : tensor<4xf32>
    tg.assign @w, %zero : tensor<4xf32>
    return
  }
  func.func @set(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
    tg.assign @w, %x : tensor<4xf32>
    return %x : tensor<4xf32>
  }
}
