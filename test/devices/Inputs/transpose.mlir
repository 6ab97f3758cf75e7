module @transpose {
  // Divides by two extents of run time.
  func.func @test(%x: tensor<?x?x8xf32> {tg.name = "x"})
      -> (tensor<?x?x8xf32> {tg.name = "y"}) {
    %y = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    return %y : tensor<?x?x8xf32>
  }
}
