// expect: error: integer constant out of range for type
func.func @f(%x: tensor<i32> {tg.name = "x"})
    -> (tensor<i32> {tg.name = "result"}) {
  %y = tg.constant dense<4294967296> : tensor<i32> // <- bad
  return %y : tensor<i32>
}
