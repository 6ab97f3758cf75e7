// RUN: tgc-opt %s --split-input-file --verify-diagnostics=only-expected

func.func @slice_c1(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected starts to have 2 entries, found 1 [C1]}}
  %y = tg.slice %x {starts = [0], sizes = [4, 5]} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @slice_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected strides of at least 1, found 0 [C2]}}
  %y = tg.slice %x {starts = [0], sizes = [4], strides = [0]} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @slice_c3_start(%x: tensor<4xf32>) -> tensor<0xf32> {
  // expected-error @+1 {{expected 0 elements from 5 in steps of 1 to lie in dim 0 (4) [C3]}}
  %y = tg.slice %x {starts = [5], sizes = [0]} : (tensor<4xf32>) -> tensor<0xf32>
  return %y : tensor<0xf32>
}

// -----

func.func @slice_c3_end(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected 3 elements from 0 in steps of 2 to lie in dim 0 (4) [C3]}}
  %y = tg.slice %x {starts = [0], sizes = [3], strides = [2]} : (tensor<4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @slice_c3_without_overflow(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{to lie in dim 0 (4) [C3]}}
  %y = tg.slice %x {starts = [2], sizes = [3], strides = [9223372036854775807]} : (tensor<4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @slice_c3_beyond_every_extent(%x: tensor<?xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected 3 elements from 0 in steps of 4611686018427387904 to lie in dim 0 (9223372036854775807) [C3]}}
  %y = tg.slice %x {starts = [0], sizes = [3], strides = [4611686018427387904]} : (tensor<?xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

func.func @slice_g4(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of sizes (1), found 2 [G4]}}
  %y = tg.slice %x, %n, %n, %n {starts = [-1], sizes = [-1]} : (tensor<4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @slice_g4_start(%x: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of starts (1), found 0 [G4]}}
  %y = tg.slice %x {starts = [-1], sizes = [1]} : (tensor<4xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// -----

func.func @update_slice_c1(%x: tensor<4x5xf32>, %u: tensor<1x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected starts to have 2 entries, found 3 [C1]}}
  %y = tg.update_slice %x, %u {starts = [0, 0, 0]} : (tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @update_slice_c2(%x: tensor<4xf32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected strides of at least 1, found -1 [C2]}}
  %y = tg.update_slice %x, %u {starts = [3], strides = [-1]} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @update_slice_c3(%x: tensor<4xf32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 2 elements from 3 in steps of 1 to lie in dim 0 (4) [C3]}}
  %y = tg.update_slice %x, %u {starts = [3]} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @update_slice_c4(%x: tensor<4xf32>, %u: tensor<2xf64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the update to have the rank and element type of the base, found tensor<2xf64> and tensor<4xf32> [C4]}}
  %y = tg.update_slice %x, %u {starts = [0]} : (tensor<4xf32>, tensor<2xf64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @gather_g3(%x: tensor<4xf32>, %i: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected axis 1 to be in [0, 1) [G3]}}
  %y = tg.gather %x, %i {axis = 1 : i64} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @gather_c1(%x: tensor<4x5xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected batch_dims 1 to be in [0, 0] [C1]}}
  %y = tg.gather %x, %i {axis = 0 : i64, batch_dims = 1 : i64} : (tensor<4x5xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @gather_c2(%x: tensor<4x5xf32>, %i: tensor<3xi32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected batch dim 0 of the tensor (4) to equal that of indices (3) [C2]}}
  %y = tg.gather %x, %i {axis = 1 : i64, batch_dims = 1 : i64} : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @gather_ods(%x: tensor<4xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{operand #1 must be ranked tensor of indices (i32 or i64)}}
  %y = tg.gather %x, %i : (tensor<4xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @scatter_c1(%x: tensor<4x5xf32>, %i: tensor<4xi32>, %u: tensor<4xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected batch_dims 1 to be in [0, 0] [C1]}}
  %y = tg.scatter %x, %i, %u {axis = 0 : i64, batch_dims = 1 : i64} : (tensor<4x5xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @scatter_c2(%x: tensor<4x5xf32>, %i: tensor<3xi32>, %u: tensor<4xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected batch dim 0 of the tensor (4) to equal that of indices (3) [C2]}}
  %y = tg.scatter %x, %i, %u {axis = 1 : i64, batch_dims = 1 : i64} : (tensor<4x5xf32>, tensor<3xi32>, tensor<4xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @scatter_c3(%x: tensor<4x5xf32>, %i: tensor<3xi32>, %u: tensor<3x6xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected updates dim 1 (6) to equal that of the gathered shape (5) [C3]}}
  %y = tg.scatter %x, %i, %u : (tensor<4x5xf32>, tensor<3xi32>, tensor<3x6xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @scatter_c3_rank(%x: tensor<4x5xf32>, %i: tensor<3xi32>, %u: tensor<5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected updates of rank 2 and the element type of the base, found tensor<5xf32> [C3]}}
  %y = tg.scatter %x, %i, %u : (tensor<4x5xf32>, tensor<3xi32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// -----

func.func @scatter_ods_combine(%x: tensor<9xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{attribute 'combine' failed to satisfy constraint: string attribute one of add, set}}
  %y = tg.scatter %x, %i, %u {combine = "max"} : (tensor<9xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// -----

func.func @scatter_c3_class(%x: tensor<9xi1>, %i: tensor<2xi32>, %u: tensor<2xi1>) -> tensor<9xi1> {
  // expected-error @+1 {{expected a base of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C3]}}
  %y = tg.scatter %x, %i, %u : (tensor<9xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<9xi1>
  return %y : tensor<9xi1>
}

// -----

func.func @nonzero_c1(%p: tensor<i1>) -> tensor<?x0xi64> {
  // expected-error @+1 {{expected an input of rank 1 or more, found rank 0 [C1]}}
  %y = tg.nonzero %p : (tensor<i1>) -> tensor<?x0xi64>
  return %y : tensor<?x0xi64>
}

// -----

func.func @nonzero_ods(%p: tensor<4xf32>) -> tensor<?x1xi64> {
  // expected-error @+1 {{operand #0 must be ranked tensor of boolean values (i1)}}
  %y = tg.nonzero %p : (tensor<4xf32>) -> tensor<?x1xi64>
  return %y : tensor<?x1xi64>
}
