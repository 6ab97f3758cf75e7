// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @add_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @sub_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.sub %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @sub_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.sub %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @mul_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.mul %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @mul_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.mul %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @maximum_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.maximum %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @maximum_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.maximum %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @minimum_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.minimum %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @minimum_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.minimum %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @pow_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.pow %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @pow_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.pow %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @and_c2(%a: tensor<4xi1>, %b: tensor<3x5xi1>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.and %a, %b : (tensor<4xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  return
}

// -----

func.func @or_c2(%a: tensor<4xi1>, %b: tensor<3x5xi1>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.or %a, %b : (tensor<4xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  return
}

// -----

func.func @xor_c2(%a: tensor<4xi1>, %b: tensor<3x5xi1>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1, found shapes [4] and [3, 5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.xor %a, %b : (tensor<4xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
  return
}

// -----

func.func @and_c1(%a: tensor<4xi1>, %b: tensor<4xi32>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found i1 and i32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.and %a, %b : (tensor<4xi1>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @and_c1_class(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected operands of i8, i16, i32, i64, ui8 or i1, found f32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.and %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @or_c1(%a: tensor<4xi1>, %b: tensor<4xi32>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found i1 and i32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.or %a, %b : (tensor<4xi1>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @or_c1_class(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected operands of i8, i16, i32, i64, ui8 or i1, found f32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.or %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @xor_c1(%a: tensor<4xi1>, %b: tensor<4xi32>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found i1 and i32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.xor %a, %b : (tensor<4xi1>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @xor_c1_class(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected operands of i8, i16, i32, i64, ui8 or i1, found f32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.xor %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_g2(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected result 1 to be 'tensor<4xf32>', found 'tensor<?xf32>' [G2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @add_does_not_broadcast_unknown(%a: tensor<?xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+2 {{expected result 1 to be 'tensor<4x3xf32>', found 'tensor<4x?xf32>' [G2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<?xf32>, tensor<4x3xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @add_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @sub_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.sub %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @mul_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.mul %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @maximum_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.maximum %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @minimum_c1_class(%a: tensor<4xi1>) {
  // expected-error @+2 {{expected operands of f32, f64, i8, i16, i32, i64 or ui8, found i1 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.minimum %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @pow_c1_class(%a: tensor<4xi32>) {
  // expected-error @+2 {{expected operands of f32 or f64, found i32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.pow %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @add_g1(%a: tensor<4xf16>) {
  // expected-error @+1 {{expected operand 'lhs' to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'tensor<4xf16>' [G1]}}
  %y = tg.add %a, %a : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @add_g1_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{expected operand 'lhs' to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'tensor<*xf32>' [G1]}}
  %y = tg.add %a, %a : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @add_g1_scalar(%a: f32) {
  // expected-error @+1 {{expected operand 'lhs' to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'f32' [G1]}}
  %y = tg.add %a, %a : (f32, f32) -> f32
  return
}

// -----

func.func @add_g2_scalar(%a: tensor<f32>) {
  // expected-error @+2 {{expected result 1 to be 'tensor<f32>', found 'f32' [G2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %a : (tensor<f32>, tensor<f32>) -> f32
  return
}
