// expect: error: 'tg.slice' op
// expect: [G4]
func.func @f(%x: tensor<10xf32> {tg.name = "x"}, %n: tensor<i64> {tg.name = "n"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.slice %x, %n {sizes = [4], starts = [0]} : (tensor<10xf32>, tensor<i64>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
