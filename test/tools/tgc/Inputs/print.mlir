func.func @test(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.relu %x : tensor<4xf32>
  tg.print "loss", %y : tensor<4xf32>
  return %y : tensor<4xf32>
}
