// expect: error:
// expect: [G1]
func.func @f(%x: tensor<9223372036854775807xi8> {tg.name = "x"})
    -> (tensor<?xi8> {tg.name = "result"}) {
  %y = tg.concat %x, %x {axis = 0} : (tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8>) -> tensor<?xi8> // <- bad
  return %y : tensor<?xi8>
}
