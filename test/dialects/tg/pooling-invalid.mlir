// RUN: tgc-opt %s --split-input-file --verify-diagnostics=only-expected

func.func @max_pool_c1_low(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %y, %i = tg.max_pool %x {window = []} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xui8>)
  return
}

// -----

func.func @max_pool_c1_high(%x: tensor<2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 6 [C1]}}
  %y, %i = tg.max_pool %x {window = [1, 1, 1, 1]} : (tensor<2x2x2x2x2x2xf32>) -> (tensor<2x2x2x2x2x2xf32>, tensor<2x2x2x2x2x2xui8>)
  return
}

// -----

func.func @max_pool_c2_window(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected window sizes of at least 1, found 0 [C2]}}
  %y, %i = tg.max_pool %x {window = [0, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c2_strides(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected strides of at least 1, found 0 [C2]}}
  %y, %i = tg.max_pool %x {strides = [1, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c2_dilations(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected dilations of at least 1, found -1 [C2]}}
  %y, %i = tg.max_pool %x {dilations = [-1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c3_window(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected window to have 2 entries, found 1 [C3]}}
  %y, %i = tg.max_pool %x {window = [2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c3_strides(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected strides to have 2 entries, found 3 [C3]}}
  %y, %i = tg.max_pool %x {strides = [1, 1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c4_word(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found valid with pads [C4]}}
  %y, %i = tg.max_pool %x {pads = [0, 0, 0, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c4_missing(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  %y, %i = tg.max_pool %x {padding = "explicit", window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c4_entries(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads to have 4 entries, found 2 [C4]}}
  %y, %i = tg.max_pool %x {padding = "explicit", pads = [1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c4_negative(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads of at least 0, found -1 [C4]}}
  %y, %i = tg.max_pool %x {padding = "explicit", pads = [0, -1, 0, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c4_reach(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads below the reach of a window (2), found 2 [C4]}}
  %y, %i = tg.max_pool %x {padding = "explicit", pads = [0, 0, 2, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c5(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected input dim 1 to hold a window that spans 9 elements, found 8 with pads [C5]}}
  %y, %i = tg.max_pool %x {dilations = [4, 1], window = [3, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c8_reach(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected windows that reach over fewer than 2^31 positions, found 2 positions 2147483647 apart [C8]}}
  %y, %i = tg.max_pool %x {padding = "same", dilations = [2147483647, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @max_pool_c8_positions(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected windows of fewer than 2^31 positions, found more [C8]}}
  %y, %i = tg.max_pool %x {padding = "same", window = [65536, 65536]} : (tensor<2x8x8x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>)
  return
}

// -----

func.func @avg_pool_c1_low(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %y = tg.avg_pool %x {window = []} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @avg_pool_c1_high(%x: tensor<2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 6 [C1]}}
  %y = tg.avg_pool %x {window = [1, 1, 1, 1]} : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  return
}

// -----

func.func @avg_pool_c2_window(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected window sizes of at least 1, found 0 [C2]}}
  %y = tg.avg_pool %x {window = [0, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c2_strides(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected strides of at least 1, found 0 [C2]}}
  %y = tg.avg_pool %x {strides = [1, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c2_dilations(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected dilations of at least 1, found -1 [C2]}}
  %y = tg.avg_pool %x {dilations = [-1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c3_window(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected window to have 2 entries, found 1 [C3]}}
  %y = tg.avg_pool %x {window = [2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c3_strides(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected strides to have 2 entries, found 3 [C3]}}
  %y = tg.avg_pool %x {strides = [1, 1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_word(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found valid with pads [C4]}}
  %y = tg.avg_pool %x {pads = [0, 0, 0, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_missing(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  %y = tg.avg_pool %x {padding = "explicit", window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_entries(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads to have 4 entries, found 2 [C4]}}
  %y = tg.avg_pool %x {padding = "explicit", pads = [1, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_negative(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads of at least 0, found -1 [C4]}}
  %y = tg.avg_pool %x {padding = "explicit", pads = [0, -1, 0, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_reach(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected pads below the reach of a window (2), found 2 [C4]}}
  %y = tg.avg_pool %x {padding = "explicit", pads = [0, 0, 2, 0], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c5(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected input dim 1 to hold a window that spans 9 elements, found 8 with pads [C5]}}
  %y = tg.avg_pool %x {dilations = [4, 1], window = [3, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c8_reach(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected windows that reach over fewer than 2^31 positions, found 2 positions 2147483647 apart [C8]}}
  %y = tg.avg_pool %x {padding = "same", dilations = [2147483647, 1], window = [2, 2]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c8_positions(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{expected windows of fewer than 2^31 positions, found more [C8]}}
  %y = tg.avg_pool %x {padding = "same", window = [65536, 65536]} : (tensor<2x8x8x3xf32>) -> tensor<2x7x7x3xf32>
  return
}

// -----

func.func @max_pool_grad_c1(%g: tensor<8x8xf32>, %i: tensor<8x8xui8>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [], window = []} : (tensor<8x8xf32>, tensor<8x8xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c2(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected strides of at least 1, found 0 [C2]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], strides = [0, 1], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c3(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected input_sizes to have 2 entries, found 1 [C3]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c4(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], padding = "explicit", window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c5(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected result dim 1 to hold a window that spans 2 elements, found 1 with pads [C5]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [1, 8], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c6_windows(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected output_grad dim 2 (7) to equal the number of windows (8) [C6]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 9], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c8(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected windows of fewer than 2^31 positions, found more [C8]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], padding = "same", window = [65536, 65536]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_g4(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xui8>) {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of input_sizes (1), found 0 [G4]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, -1], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c1(%g: tensor<8x8xf32>) {
  // expected-error @+1 {{expected a rank of 3, 4 or 5, found 2 [C1]}}
  %d = tg.avg_pool_grad %g {input_sizes = [], window = []} : (tensor<8x8xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c2(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected strides of at least 1, found 0 [C2]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8, 8], strides = [0, 1], window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c3(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected input_sizes to have 2 entries, found 1 [C3]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8], window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c4(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8, 8], padding = "explicit", window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c5(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected result dim 1 to hold a window that spans 2 elements, found 1 with pads [C5]}}
  %d = tg.avg_pool_grad %g {input_sizes = [1, 8], window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c6_windows(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected output_grad dim 2 (7) to equal the number of windows (8) [C6]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8, 9], window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_c8(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected windows of fewer than 2^31 positions, found more [C8]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8, 8], padding = "same", window = [65536, 65536]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_grad_g4(%g: tensor<2x7x7x3xf32>) {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of input_sizes (1), found 0 [G4]}}
  %d = tg.avg_pool_grad %g {input_sizes = [8, -1], window = [2, 2]} : (tensor<2x7x7x3xf32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c6_type(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x3xi32>) {
  // expected-error @+1 {{expected index of rank 4 and of ui8, found tensor<2x7x7x3xi32> [C6]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x3xi32>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c6_wide_type(%g: tensor<2x8x8x3xf32>, %i: tensor<2x8x8x3xui8>) {
  // expected-error @+1 {{expected index of rank 4 and of i32, found tensor<2x8x8x3xui8> [C6]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], padding = "same", window = [20, 20]} : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_grad_c6_extents(%g: tensor<2x7x7x3xf32>, %i: tensor<2x7x7x4xui8>) {
  // expected-error @+1 {{expected index dim 3 (4) to equal that of output_grad (3) [C6]}}
  %d = tg.max_pool_grad %g, %i {input_sizes = [8, 8], window = [2, 2]} : (tensor<2x7x7x3xf32>, tensor<2x7x7x4xui8>) -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @max_pool_word(%x: tensor<2x8x8x3xf32>) {
  // expected-error @+1 {{attribute 'padding' failed to satisfy constraint: string attribute whose value is valid, same or explicit}}
  %y, %i = tg.max_pool %x {padding = "SAME", window = [2, 2]} : (tensor<2x8x8x3xf32>) -> (tensor<2x8x8x3xf32>, tensor<2x8x8x3xui8>)
  return
}

// -----

func.func @max_pool_truth(%x: tensor<2x8x8x3xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats or integers}}
  %y, %i = tg.max_pool %x {window = [2, 2]} : (tensor<2x8x8x3xi1>) -> (tensor<2x7x7x3xi1>, tensor<2x7x7x3xui8>)
  return
}
