// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @conv_c1(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) {
  // expected-error @+2 {{expected an input of rank 3, 4 or 5, found 2 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @conv_c1_high(%a: tensor<1x2x2x2x2x4xf32>, %b: tensor<1x1x1x1x4x6xf32>) {
  // expected-error @+2 {{expected an input of rank 3, 4 or 5, found 6 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x2x2x2x2x4xf32>, tensor<1x1x1x1x4x6xf32>) -> tensor<1x2x2x2x2x6xf32>
  return
}

// -----

func.func @conv_c1_filter(%a: tensor<1x8x8x4xf32>, %b: tensor<3x4x6xf32>) {
  // expected-error @+2 {{expected filter of the input's rank (4), found 3 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x8x8x4xf32>, tensor<3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c2_strides(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected strides of at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {strides = [1, 0]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c2_dilations(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected dilations of at least 1, found -1 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {dilations = [-1, 1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c2_filter(%a: tensor<1x8x8x4xf32>, %b: tensor<3x0x4x6xf32>) {
  // expected-error @+2 {{expected window sizes of at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x8x8x4xf32>, tensor<3x0x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c2_open_filter(%a: tensor<1x8x8x4xf32>, %b: tensor<3x?x4x6xf32>) {
  // expected-error @+2 {{expected filter dim 1 to be known, found ? [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x8x8x4xf32>, tensor<3x?x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c2_open_channels(%a: tensor<1x8x8x?xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected the number of channels of the input to be known, found ? [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x8x8x?xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c3(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected groups (3) to divide the channels of the input (4) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {groups = 3} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c3_filter(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x1x6xf32>) {
  // expected-error @+2 {{expected groups (4) to divide the channels of the filter (6) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {groups = 4} : (tensor<1x8x8x4xf32>, tensor<3x3x1x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c3_channels(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected filter dim 2 (4) to equal the channels of a group of the input (2) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {groups = 2} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c4_without(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "explicit"} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c4_with(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected pads if and only if the padding is explicit, found same with pads [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "same", pads = [0, 0, 0, 0]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c4_length(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected pads to have 4 entries, found 2 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "explicit", pads = [1, 1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c4_negative(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected pads of at least 0, found -1 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "explicit", pads = [1, 1, 0, -1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c5_strides(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected strides to have 2 entries, found 1 [C5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {strides = [1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c5_dilations(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected dilations to have 2 entries, found 3 [C5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {dilations = [1, 1, 1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c7(%a: tensor<1x2x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected input dim 1 to hold a window that spans 3 elements, found 2 with pads [C7]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x2x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c7_dilated(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected input dim 2 to hold a window that spans 11 elements, found 10 with pads [C7]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {dilations = [1, 5], padding = "explicit", pads = [0, 0, 1, 1]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c7_overflow(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected padded extents below 2^63, found 8 with pads 9223372036854775807 and 1 [C7]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "explicit", pads = [9223372036854775807, 1, 0, 0]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c9(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf64>) {
  // expected-error @+2 {{expected input and filter of one element type, found f32 and f64 [C9]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf64>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c10(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected windows that reach over fewer than 2^31 positions, found 3 positions 1073741824 apart [C10]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {dilations = [1073741824, 1], padding = "same"} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_c10_positions(%a: tensor<1x8x8x4xf32>, %b: tensor<65536x65536x4x6xf32>) {
  // expected-error @+2 {{expected windows of fewer than 2^31 positions, found more [C10]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv %a, %b {padding = "same"} : (tensor<1x8x8x4xf32>, tensor<65536x65536x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_ods_groups(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+1 {{attribute 'groups' failed to satisfy constraint}}
  %y = tg.conv %a, %b {groups = 0} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_ods_padding(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+1 {{whose value is valid, same or explicit}}
  %y = tg.conv %a, %b {padding = "full"} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @conv_ods_operands(%a: tensor<1x8x8x4xi32>, %b: tensor<3x3x4x6xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats}}
  %y = tg.conv %a, %b : (tensor<1x8x8x4xi32>, tensor<3x3x4x6xi32>) -> tensor<1x6x6x6xi32>
  return
}

// -----

func.func @conv_transpose_c1(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x3x4x6xf32>) {
  // expected-error @+2 {{expected filter of the input's rank (4), found 5 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8]} : (tensor<1x6x6x6xf32>, tensor<3x3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c2(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected strides of at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8], strides = [0, 1]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c3(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected groups (4) to divide the channels of the filter (6) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {groups = 4, output_sizes = [8, 8]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c4(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected pads of at least 0, found -2 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8], padding = "explicit", pads = [1, 1, 1, -2]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c5(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected output_sizes to have 2 entries, found 1 [C5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c6(%a: tensor<1x6x6x5xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected input dim 3 (5) to equal the channels of the filter (6) [C6]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8]} : (tensor<1x6x6x5xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c7(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected result dim 1 to hold a window that spans 3 elements, found 2 with pads [C7]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [2, 8]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c8(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected input dim 2 (6) to equal the windows over result dim 2 (7) [C8]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 9]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c9(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf64>) {
  // expected-error @+2 {{expected input and filter of one element type, found f32 and f64 [C9]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf64>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_c10(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected windows that reach over fewer than 2^31 positions, found 3 positions 2147483648 apart [C10]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [8, 8], dilations = [1, 2147483648]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @conv_transpose_g4(%a: tensor<1x6x6x6xf32>, %b: tensor<3x3x4x6xf32>) {
  // expected-error @+2 {{expected as many dynamic operands as -1 entries of output_sizes (1), found 0 [G4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_transpose %a, %b {output_sizes = [-1, 8]} : (tensor<1x6x6x6xf32>, tensor<3x3x4x6xf32>) -> tensor<1x?x8x4xf32>
  return
}

// -----

func.func @conv_filter_grad_c1(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6xf32>) {
  // expected-error @+2 {{expected output_grad of the input's rank (4), found 3 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3]} : (tensor<1x8x8x4xf32>, tensor<1x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c2(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected window sizes of at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 0]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c2_channels(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x?xf32>) {
  // expected-error @+2 {{expected the number of channels of output_grad to be known, found ? [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x?xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c3(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected groups (4) to divide the channels of output_grad (6) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3], groups = 4} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c4(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected pads if and only if the padding is explicit, found explicit without pads [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3], padding = "explicit"} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c5(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected filter_sizes to have 2 entries, found 1 [C5]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c6(%a: tensor<1x8x8x4xf32>, %b: tensor<2x6x6x6xf32>) {
  // expected-error @+2 {{expected output_grad dim 0 (2) to equal input dim 0 (1) [C6]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3]} : (tensor<1x8x8x4xf32>, tensor<2x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c7(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected input dim 2 to hold a window that spans 9 elements, found 8 with pads [C7]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 9]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c8(%a: tensor<1x8x8x4xf32>, %b: tensor<1x5x6x6xf32>) {
  // expected-error @+2 {{expected output_grad dim 1 (5) to equal the windows over input dim 1 (6) [C8]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3]} : (tensor<1x8x8x4xf32>, tensor<1x5x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c9(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf64>) {
  // expected-error @+2 {{expected input and output_grad of one element type, found f32 and f64 [C9]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [3, 3]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf64>) -> tensor<3x3x4x6xf32>
  return
}

// -----

func.func @conv_filter_grad_c10(%a: tensor<1x8x8x4xf32>, %b: tensor<1x6x6x6xf32>) {
  // expected-error @+2 {{expected windows of fewer than 2^31 positions, found more [C10]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.conv_filter_grad %a, %b {filter_sizes = [65536, 65536]} : (tensor<1x8x8x4xf32>, tensor<1x6x6x6xf32>) -> tensor<3x3x4x6xf32>
  return
}
