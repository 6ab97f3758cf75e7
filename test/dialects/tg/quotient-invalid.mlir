// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @div_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.div %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @div_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.div %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @remainder_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.remainder %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @remainder_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.remainder %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @div_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.div %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @remainder_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.remainder %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}
