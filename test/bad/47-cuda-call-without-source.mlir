// expect: error: 'tg.cuda_call' op expected one of cuda and ptx, found none
func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = tg.cuda_call "f"(%x) kernel <entry = "k"> : (tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
