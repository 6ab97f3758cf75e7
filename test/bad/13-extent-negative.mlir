// expect: error:
func.func @f(%x: tensor<-1xf32> {tg.name = "x"}) { // <- bad
  return
}
