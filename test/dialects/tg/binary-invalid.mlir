// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @add_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.mul %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @div_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.div %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @div_c2(%a: tensor<4xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.remainder %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
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
  // expected-error @+2 {{expected extents 5 and 4 of result dim 1 to be equal or 1 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.pow %a, %b : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<3x4xf32>
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

func.func @and_ods(%a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 32-bit signless integer or 64-bit signless integer or 8-bit unsigned integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
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

func.func @or_ods(%a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 32-bit signless integer or 64-bit signless integer or 8-bit unsigned integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
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

func.func @xor_ods(%a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 32-bit signless integer or 64-bit signless integer or 8-bit unsigned integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = tg.xor %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_g2(%a: tensor<4xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @add_does_not_stretch_unknown(%a: tensor<?xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4x3xf32>' are incompatible with return type(s) of operation 'tensor<4x?xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<?xf32>, tensor<4x3xf32>) -> tensor<4x?xf32>
  return
}
