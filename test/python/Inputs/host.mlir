// Calls functions of the host, and prints.
module @host {
  func.func @square(%x: tensor<3xf32> {tg.name = "x"}) -> (tensor<3xf32> {tg.name = "y"}) {
    tg.print "x", %x : tensor<3xf32>
    %y = tg.host_call "square"(%x) : (tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
}
