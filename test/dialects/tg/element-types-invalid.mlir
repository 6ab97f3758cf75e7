// Ops that allow integers do not allow every integer type, and narrow integers
// are not allowed as sizes.
// RUN: tgc-opt -split-input-file -verify-diagnostics %s

func.func @unsigned16(%a: tensor<4xui16>) {
  // expected-error @+1 {{expected operand 'input' to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'tensor<4xui16>' [G1]}}
  %y = tg.neg %a : tensor<4xui16>
  return
}

// -----

func.func @signed8(%a: tensor<4xsi8>) {
  // expected-error @+1 {{expected operand 'input' to be a ranked tensor without encoding}}
  %y = tg.neg %a : tensor<4xsi8>
  return
}

// -----

func.func @mixed(%a: tensor<4xi8>, %b: tensor<4xui8>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found i8 and ui8 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.add %a, %b : (tensor<4xi8>, tensor<4xui8>) -> tensor<4xi8>
  return
}

// -----

func.func @narrow_indices(%a: tensor<4xf32>, %i: tensor<2xi16>) {
  // expected-error @+1 {{operand #1 must be ranked tensor of indices (i32 or i64), but got 'tensor<2xi16>'}}
  %y = tg.gather %a, %i : (tensor<4xf32>, tensor<2xi16>) -> tensor<2xf32>
  return
}

// -----

func.func @narrow_labels(%a: tensor<4x3xf32>, %t: tensor<4xi8>) {
  // expected-error @+2 {{expected labels of the logits' type or of i32, i64 or ui8, found i8 and f32 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %a, %t : (tensor<4x3xf32>, tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @product_in_eight_bits(%a: tensor<2x3xi8>, %b: tensor<3x2xi8>) {
  // expected-error @+2 {{expected element_type i32 for operands of i8, found i8 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b {element_type = i8} : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi8>
  return
}

// -----

func.func @product_of_two_types(%a: tensor<2x3xi8>, %b: tensor<3x2xi16>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found i8 and i16 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.matmul %a, %b : (tensor<2x3xi8>, tensor<3x2xi16>) -> tensor<2x2xi16>
  return
}

// -----

func.func @drawn(%seed: tensor<i64>) {
  // expected-error @+2 {{expected element_type f32 or f64, found i16 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.random_uniform %seed, %seed {element_type = i16, shape = [4], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4xi16>
  return
}

// -----

// expected-error @+1 {{expected a trainable variable to be floating point, found 'tensor<4xi8>' [C2]}}
tg.variable @w {trainable} : tensor<4xi8>
