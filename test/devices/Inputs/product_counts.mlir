// Products of matrices and convolutions of each form, for product_counts.py.
module @products {
  func.func @vector(%x: tensor<1x1024xf32> {tg.name = "x"}, %w: tensor<1024x4096xf32> {tg.name = "w"}) -> (tensor<1x4096xf32> {tg.name = "y"}) {
    %0 = tg.matmul %x, %w : (tensor<1x1024xf32>, tensor<1024x4096xf32>) -> tensor<1x4096xf32>
    return %0 : tensor<1x4096xf32>
  }
  func.func @few_rows(%x: tensor<8x1024xf32> {tg.name = "x"}, %w: tensor<1024x1024xf32> {tg.name = "w"}) -> (tensor<8x1024xf32> {tg.name = "y"}) {
    %0 = tg.matmul %x, %w : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
    return %0 : tensor<8x1024xf32>
  }
  func.func @few_columns(%x: tensor<2048x1024xf32> {tg.name = "x"}, %w: tensor<1024x8xf32> {tg.name = "w"}) -> (tensor<2048x8xf32> {tg.name = "y"}) {
    %0 = tg.matmul %x, %w : (tensor<2048x1024xf32>, tensor<1024x8xf32>) -> tensor<2048x8xf32>
    return %0 : tensor<2048x8xf32>
  }
  func.func @long_sum(%x: tensor<16384x64xf32> {tg.name = "x"}, %w: tensor<16384x64xf32> {tg.name = "w"}) -> (tensor<64x64xf32> {tg.name = "y"}) {
    %0 = tg.matmul %x, %w {transpose_lhs} : (tensor<16384x64xf32>, tensor<16384x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
  func.func @first_filter(%x: tensor<8x28x28x1xf32> {tg.name = "x"}, %w: tensor<8x28x28x32xf32> {tg.name = "w"}) -> (tensor<5x5x1x32xf32> {tg.name = "y"}) {
    %0 = tg.conv_filter_grad %x, %w {filter_sizes = [5, 5], padding = "same"} : (tensor<8x28x28x1xf32>, tensor<8x28x28x32xf32>) -> tensor<5x5x1x32xf32>
    return %0 : tensor<5x5x1x32xf32>
  }
  func.func @small_filter(%x: tensor<8x28x28x1xf32> {tg.name = "x"}, %w: tensor<8x14x14x16xf32> {tg.name = "w"}) -> (tensor<3x3x1x16xf32> {tg.name = "y"}) {
    %0 = tg.conv_filter_grad %x, %w {filter_sizes = [3, 3], padding = "same", strides = [2, 2]} : (tensor<8x28x28x1xf32>, tensor<8x14x14x16xf32>) -> tensor<3x3x1x16xf32>
    return %0 : tensor<3x3x1x16xf32>
  }
  func.func @depthwise(%x: tensor<4x28x28x64xf32> {tg.name = "x"}, %w: tensor<3x3x1x64xf32> {tg.name = "w"}) -> (tensor<4x28x28x64xf32> {tg.name = "y"}) {
    %0 = tg.conv %x, %w {groups = 64 : i64, padding = "same"} : (tensor<4x28x28x64xf32>, tensor<3x3x1x64xf32>) -> tensor<4x28x28x64xf32>
    return %0 : tensor<4x28x28x64xf32>
  }
  func.func @depthwise_input(%x: tensor<4x28x28x64xf32> {tg.name = "x"}, %w: tensor<3x3x1x64xf32> {tg.name = "w"}) -> (tensor<4x28x28x64xf32> {tg.name = "y"}) {
    %0 = tg.conv_transpose %x, %w {groups = 64 : i64, output_sizes = [28, 28], padding = "same"} : (tensor<4x28x28x64xf32>, tensor<3x3x1x64xf32>) -> tensor<4x28x28x64xf32>
    return %0 : tensor<4x28x28x64xf32>
  }
  func.func @depthwise_filter(%x: tensor<4x28x28x64xf32> {tg.name = "x"}, %w: tensor<4x28x28x64xf32> {tg.name = "w"}) -> (tensor<3x3x1x64xf32> {tg.name = "y"}) {
    %0 = tg.conv_filter_grad %x, %w {filter_sizes = [3, 3], groups = 64 : i64, padding = "same"} : (tensor<4x28x28x64xf32>, tensor<4x28x28x64xf32>) -> tensor<3x3x1x64xf32>
    return %0 : tensor<3x3x1x64xf32>
  }
  func.func @grouped(%x: tensor<4x14x14x64xf32> {tg.name = "x"}, %w: tensor<3x3x8x64xf32> {tg.name = "w"}) -> (tensor<4x14x14x64xf32> {tg.name = "y"}) {
    %0 = tg.conv %x, %w {groups = 8 : i64, padding = "same"} : (tensor<4x14x14x64xf32>, tensor<3x3x8x64xf32>) -> tensor<4x14x14x64xf32>
    return %0 : tensor<4x14x14x64xf32>
  }
}
