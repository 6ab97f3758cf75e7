// A model of two layers; the test replaces the width of the last one.
module @layers {
  tg.variable @w : tensor<32x64xf32>
  tg.variable @v : tensor<64xWIDTHxf32>
  func.func @f(%x: tensor<?x32xf32> {tg.name = "x", tg.dims = ["n", ""]})
      -> (tensor<?xWIDTHxf32> {tg.name = "y", tg.dims = ["n", ""]}) {
    %w = tg.read @w : tensor<32x64xf32>
    %v = tg.read @v : tensor<64xWIDTHxf32>
    %h = tg.matmul %x, %w : (tensor<?x32xf32>, tensor<32x64xf32>) -> tensor<?x64xf32> loc("dense"("network.mlir":7:8))
    %r = tg.relu %h : tensor<?x64xf32> loc("dense"("network.mlir":8:8))
    %y = tg.matmul %r, %v : (tensor<?x64xf32>, tensor<64xWIDTHxf32>) -> tensor<?xWIDTHxf32> loc("head"("network.mlir":9:8))
    return %y : tensor<?xWIDTHxf32>
  }
}
