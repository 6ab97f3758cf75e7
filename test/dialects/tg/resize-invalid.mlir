// RUN: tgc-opt %s --split-input-file --verify-diagnostics=only-expected

func.func @resize_c1(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = []} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @resize_c3(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected sizes to have 2 entries, found 1 [C3]}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [4]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32>
  return
}

// -----

func.func @resize_c7_size(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected result dim 2 to be at least 1, found 0 [C7]}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [4, 0]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x0x3xf32>
  return
}

// -----

func.func @resize_c7_extent(%x: tensor<2x0x8x3xf32>) {
  // expected-error @+1 {{expected input dim 1 to be at least 1, found 0 [C7]}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [4, 4]} : (tensor<2x0x8x3xf32>) -> tensor<2x4x4x3xf32>
  return
}

// -----

func.func @resize_g4(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of sizes (1), found 0 [G4]}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [4, -1]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x?x3xf32>
  return
}

// -----

func.func @resize_grad_c1(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %y = tg.resize_grad %x {coordinates = "half_pixel", mode = "linear", input_sizes = []} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @resize_grad_c3(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected input_sizes to have 2 entries, found 1 [C3]}}
  %y = tg.resize_grad %x {coordinates = "half_pixel", mode = "linear", input_sizes = [4]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32>
  return
}

// -----

func.func @resize_grad_c7_size(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected result dim 2 to be at least 1, found 0 [C7]}}
  %y = tg.resize_grad %x {coordinates = "half_pixel", mode = "linear", input_sizes = [4, 0]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x0x3xf32>
  return
}

// -----

func.func @resize_grad_c7_extent(%x: tensor<2x0x8x3xf32>) {
  // expected-error @+1 {{expected output_grad dim 1 to be at least 1, found 0 [C7]}}
  %y = tg.resize_grad %x {coordinates = "half_pixel", mode = "linear", input_sizes = [4, 4]} : (tensor<2x0x8x3xf32>) -> tensor<2x4x4x3xf32>
  return
}

// -----

func.func @resize_grad_g4(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of input_sizes (1), found 0 [G4]}}
  %y = tg.resize_grad %x {coordinates = "half_pixel", mode = "linear", input_sizes = [4, -1]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x?x3xf32>
  return
}

// -----

func.func @resize_words(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{string attribute whose value is nearest or linear}}
  %y = tg.resize %x {coordinates = "half_pixel", mode = "cubic", sizes = [4, 4]} : (tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32>
  return
}
