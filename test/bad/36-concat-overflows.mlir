// expect: error:
// expect: [G1]
func.func @f(%x: tensor<9223372036854775807xui8> {tg.name = "x"})
    -> (tensor<?xui8> {tg.name = "result"}) {
  %y = tg.concat %x, %x {axis = 0} : (tensor<9223372036854775807xui8>, tensor<9223372036854775807xui8>) -> tensor<?xui8> // <- bad
  return %y : tensor<?xui8>
}
