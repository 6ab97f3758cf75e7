// A model that calls the host function "square".
func.func @test(%x: tensor<32x784xf32> {tg.name = "x"}) -> (tensor<32x784xf32> {tg.name = "y"}) {
  %y = tg.host_call "square"(%x) : (tensor<32x784xf32>) -> tensor<32x784xf32>
  return %y : tensor<32x784xf32>
}
