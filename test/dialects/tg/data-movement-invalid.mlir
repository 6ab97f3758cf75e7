// RUN: tgc-opt %s --split-input-file --verify-diagnostics=only-expected

func.func @constant_c1() -> tensor<2xi32> {
  // expected-error @+1 {{expected resource 'absent' to be present [C1]}}
  %c = tg.constant dense_resource<absent> : tensor<2xi32>
  return %c : tensor<2xi32>
}

// -----

func.func @constant_c1_size() -> tensor<2xi32> {
  // expected-error @+1 {{expected a resource of 8 bytes, found 12 [C1]}}
  %c = tg.constant dense_resource<three> : tensor<2xi32>
  return %c : tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      three: "0x04000000070000000900000001000000"
    }
  }
#-}

// -----

func.func @constant_c1_alignment() -> tensor<1xi32> {
  // expected-error @+1 {{expected a resource aligned to a power of two up to 4096, found 8192 [C1]}}
  %c = tg.constant dense_resource<wide> : tensor<1xi32>
  return %c : tensor<1xi32>
}

{-#
  dialect_resources: {
    builtin: {
      wide: "0x0020000007000000"
    }
  }
#-}

// -----

func.func @iota_g3() -> tensor<3xi64> {
  // expected-error @+1 {{expected axis 1 to be in [0, 1) [G3]}}
  %y = tg.iota {axis = 1 : i64, shape = [3]} : () -> tensor<3xi64>
  return %y : tensor<3xi64>
}

// -----

func.func @iota_c2() -> tensor<3xi64> {
  // expected-error @+1 {{expected element_type f32, f64, i8, i16, i32, i64 or ui8, found i1 [C2]}}
  %y = tg.iota {axis = 0 : i64, element_type = i1, shape = [3]} : () -> tensor<3xi64>
  return %y : tensor<3xi64>
}

// -----

func.func @iota_g4(%n: tensor<i64>) -> tensor<?xi64> {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of shape (1), found 2 [G4]}}
  %y = tg.iota %n, %n {axis = 0 : i64, shape = [-1]} : (tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// -----

func.func @dim_g3(%x: tensor<2x3xf32>) -> tensor<i64> {
  // expected-error @+1 {{expected axis 2 to be in [0, 2) [G3]}}
  %n = tg.dim %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

func.func @ensure_shape_c1(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected shape to have 2 entries, found 1 [C1]}}
  %y = tg.ensure_shape %x {shape = [4]} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @ensure_shape_c2(%x: tensor<?x4xf32>) -> tensor<?x5xf32> {
  // expected-error @+1 {{expected dim 1 of the input (4) to equal shape (5) [C2]}}
  %y = tg.ensure_shape %x {shape = [-1, 5]} : (tensor<?x4xf32>) -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// -----

func.func @reshape_c1(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected at most one -1 in shape, found 2 [C1]}}
  %y = tg.reshape %x {shape = [-1, -1]} : (tensor<?x4xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

func.func @reshape_c1_zero(%x: tensor<0x4xf32>) -> tensor<?x0xf32> {
  // expected-error @+1 {{expected no 0 in a shape with a -1, found [-1, 0] [C1]}}
  %y = tg.reshape %x {shape = [-1, 0]} : (tensor<0x4xf32>) -> tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}

// -----

func.func @reshape_c2(%x: tensor<3x4xf32>) -> tensor<13xf32> {
  // expected-error @+1 {{expected the element count of the input (12) to equal that of the result (13) [C2]}}
  %y = tg.reshape %x {shape = [13]} : (tensor<3x4xf32>) -> tensor<13xf32>
  return %y : tensor<13xf32>
}

// -----

func.func @reshape_c2_inferred(%x: tensor<3x4xf32>) -> tensor<2x5xf32> {
  // expected-error @+1 {{expected the element count of the input (12) to equal that of the result (10) [C2]}}
  %y = tg.reshape %x {shape = [-1, 5]} : (tensor<3x4xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// -----

func.func @reshape_g2(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected result 1 to be 'tensor<2x6xf32>', found 'tensor<4x3xf32>' [G2]}}
  %y = tg.reshape %x {shape = [2, 6]} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

func.func @transpose_c1_length(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected permutation to have 2 entries, found 1 [C1]}}
  %y = tg.transpose %x {permutation = [0]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

func.func @transpose_c1(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{expected a permutation of the 2 dimensions, found 0 at 1 [C1]}}
  %y = tg.transpose %x {permutation = [0, 0]} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

func.func @broadcast_to_c1(%x: tensor<2x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected shape to have at least 2 entries, found 1 [C1]}}
  %y = tg.broadcast_to %x {shape = [3]} : (tensor<2x3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @broadcast_to_c2(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{expected dim 1 of shape (4) to equal dim 1 of the input (3) [C2]}}
  %y = tg.broadcast_to %x {shape = [2, 4]} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

func.func @broadcast_to_c3(%x: tensor<1x3xf32>) -> tensor<?x3xf32> {
  // expected-error @+1 {{expected no -1 at broadcast dim 0 [C3]}}
  %y = tg.broadcast_to %x {shape = [-1, 3]} : (tensor<1x3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

func.func @pad_c1(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected low and high of at least 0, found -1 [C1]}}
  %y = tg.pad %x, %v {low = [0], high = [-1]} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @pad_c2(%x: tensor<3xf32>, %v: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the value to be of rank 0 and the input's element type, found tensor<1xf32> [C2]}}
  %y = tg.pad %x, %v {low = [0], high = [1]} : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @concat_c1() -> tensor<3xf32> {
  // expected-error @+1 {{expected at least one input, found none [C1]}}
  %y = tg.concat {axis = 0 : i64} : () -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @concat_c2(%a: tensor<3xf32>, %b: tensor<3xi32>) -> tensor<6xf32> {
  // expected-error @+1 {{expected input 1 to have the rank and element type of input 0, found tensor<3xi32> and tensor<3xf32> [C2]}}
  %y = tg.concat %a, %b {axis = 0 : i64} : (tensor<3xf32>, tensor<3xi32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

func.func @concat_g3(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected axis 1 to be in [0, 1) [G3]}}
  %y = tg.concat %a {axis = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @concat_c3(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{expected dim 1 of input 1 (4) to equal that dim of the inputs before it (3) [C3]}}
  %y = tg.concat %a, %b {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

func.func @reverse_g3(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected axes without duplicates, found 0 twice [G3]}}
  %y = tg.reverse %x {axes = [0, 0]} : tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @constant_c1_sparse() {
  // expected-error @+1 {{expected dense<...> or dense_resource<...>, found sparse<0, 1.000000e+00> : tensor<4xf32> [C1]}}
  %y = tg.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  return
}

// -----

func.func @constant_g1_encoding() {
  // expected-error @+1 {{expected the value of a tensor without encoding, found "rows" [G1]}}
  %y = tg.constant dense<1.0> : tensor<4xf32, "rows">
  return
}

// -----

func.func @ensure_shape_c1_bounds(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected bounds to have 2 entries, found 1 [C1]}}
  %y = tg.ensure_shape %x {bounds = [4], shape = [-1, 4]} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @ensure_shape_g4(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected entries of bounds to be at least 0, found -1 [G4]}}
  %y = tg.ensure_shape %x {bounds = [-1, 0], shape = [-1, 4]} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @ensure_shape_g1(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected bounds of tensors with fewer than 2^63 bytes, found [2305843009213693952, 0] [G1]}}
  %y = tg.ensure_shape %x {bounds = [2305843009213693952, 0], shape = [-1, -1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

func.func @ensure_shape_r1(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{expected dim 1 of the input (4) to be at most 3 [R1]}}
  %y = tg.ensure_shape %x {bounds = [0, 3], shape = [-1, 4]} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
