// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @matmul_c1(%a: tensor<4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{expected ranks of at least 2, found 1 and 2 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{expected lhs dim 1 (3) to equal rhs dim 0 (4) [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @matmul_c2_transposed(%a: tensor<3x2xf32>, %b: tensor<5x4xf32>) {
  // expected-error @+2 {{expected lhs dim 0 (3) to equal rhs dim 1 (4) [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<3x2xf32>, tensor<5x4xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<6x2x3xf32>, %b: tensor<7x3x5xf32>) {
  // expected-error @+2 {{expected extents 6 and 7 of result dim 0 to be equal or 1, found shapes [6] and [7] [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<6x2x3xf32>, tensor<7x3x5xf32>) -> tensor<6x2x5xf32>
  return
}

// -----

func.func @matmul_c4_operands(%a: tensor<2x3xf32>, %b: tensor<3x5xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<2x3xf32>, tensor<3x5xf64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @matmul_c4_element_type(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected element_type f32 for operands of f32, found f64 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b {element_type = f64} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf64>
  return
}

// -----

func.func @matmul_c4_bytes(%a: tensor<2x4xui8>, %b: tensor<4x3xui8>) {
  // expected-error @+2 {{expected element_type i32 for operands of ui8, found ui8 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b {element_type = ui8} : (tensor<2x4xui8>, tensor<4x3xui8>) -> tensor<2x3xui8>
  return
}

// -----

func.func @matmul_c4_class(%a: tensor<2x4xi1>, %b: tensor<4x3xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<2x4xi1>, tensor<4x3xi1>) -> tensor<2x3xi1>
  return
}
