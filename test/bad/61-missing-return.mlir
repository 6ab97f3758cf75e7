// expect: error: 'func.func' op expected 'return' at its end, found 'tg.neg' in line 4 [M3]
func.func @f(%x: tensor<f32> {tg.name = "x"}) // <- bad
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.neg %x : tensor<f32>
}
