// expect: error: 'tg.read' op expected @stepz to name a variable; did you mean 'step'? [C1]
module {
  tg.variable @step : tensor<i64>
  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    tg.assign @step, %zero : tensor<i64>
    return
  }
  func.func @f() -> (tensor<i64> {tg.name = "result"}) {
    %y = tg.read @stepz : tensor<i64> // <- bad
    return %y : tensor<i64>
  }
}
