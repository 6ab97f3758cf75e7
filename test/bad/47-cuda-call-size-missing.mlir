// expect: error: 'tg.cuda_call' op expected as many sizes as dynamic extents of results (1), found 0 [C2]
func.func @f(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
  %y = tg.cuda_call "f"(%x) kernel <ptx = ""> : (tensor<?xf32>) -> tensor<?xf32> // <- bad
  return %y : tensor<?xf32>
}
