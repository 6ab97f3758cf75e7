// expect: expected elements_per_block above 0 and no grid, found -9223372036854775808
func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.cuda_call "f"(%x) kernel <ptx = "", elements_per_block = -9223372036854775808> : (tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
