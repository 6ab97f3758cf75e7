// expect: error: 'tg.compare' op
// expect: [C3]
func.func @f(%c: tensor<3xi1> {tg.name = "c"})
    -> (tensor<3xi1> {tg.name = "result"}) {
  %y = tg.compare lt, %c, %c : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1> // <- bad
  return %y : tensor<3xi1>
}
