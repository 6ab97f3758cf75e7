// expect-accepted
func.func @f(%x: tensor<268435456xf32> {tg.name = "x"}) -> (tensor<268435456xf32> {tg.name = "result"}) {
  %c = tg.constant dense<1.0> : tensor<268435456xf32>
  %d = tg.constant dense<2.0> : tensor<268435456xf32>
  %s = tg.add %c, %d : (tensor<268435456xf32>, tensor<268435456xf32>) -> tensor<268435456xf32>
  %y = tg.add %x, %s : (tensor<268435456xf32>, tensor<268435456xf32>) -> tensor<268435456xf32>
  return %y : tensor<268435456xf32>
}
