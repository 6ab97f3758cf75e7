func.func @gradient(%x: tensor<?x?x?x4xf32> {tg.name = "x"}, %g: tensor<?x?x?x8xf32> {tg.name = "g"}) -> (tensor<3x3x4x8xf32> {tg.name = "w"}) {
  %w = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], strides = [2, 2]} : (tensor<?x?x?x4xf32>, tensor<?x?x?x8xf32>) -> tensor<3x3x4x8xf32>
  return %w : tensor<3x3x4x8xf32>
}
