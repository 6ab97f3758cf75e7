// expect: error: expected an operation, found 'tg.sigmoid_cross_entropy'; the loss of a logit x and a target t is tg.select of x or 0 by tg.compare ge of x with 0, minus x * t, plus tg.log1p of tg.exp of the tg.select of -x or x [M9]
func.func @f(%x: tensor<4xf32> {tg.name = "x"}, %t: tensor<4xf32> {tg.name = "t"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.sigmoid_cross_entropy %x, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
