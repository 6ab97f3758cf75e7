// expect: error: 'tg.cuda_call' op expected at most 1024 threads in a block, found 67108864
func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.cuda_call "f"(%x) kernel <ptx = "", block = [1024, 1024, 64], grid = [2147483647, 65535, 65535]> : (tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
