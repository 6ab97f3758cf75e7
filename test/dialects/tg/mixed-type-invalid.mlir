// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @compare_c1(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and i32 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.compare lt, %a, %b : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+2 {{expected extents 4 and 5 of result dim 0 to be equal or 1, found shapes [4] and [5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.compare lt, %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3(%a: tensor<4xi1>) {
  // expected-error @+1 {{expected predicate eq or ne on i1, found lt [C3]}}
  %y = tg.compare lt, %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @select_c1(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{expected lhs and rhs of one element type, found f32 and f64 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_values(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+2 {{expected extents 4 and 5 of result dim 0 to be equal or 1, found shapes [4] and [5] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.select %p, %a, %b : (tensor<i1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_condition(%p: tensor<3xi1>, %a: tensor<4xf32>) {
  // expected-error @+2 {{expected extents 3 and 4 of result dim 0 to be equal or 1, found shapes [3] and [4] [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.select %p, %a, %a : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_ods(%p: tensor<4xi32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of boolean values (i1), but got 'tensor<4xi32>'}}
  %y = tg.select %p, %a, %a : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c4(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected element_type f32, f64, i8, i16, i32, i64, ui8 or i1, found i7 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "tg.cast"(%a) {element_type = i7} : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @cast_g2(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected result 1 to be 'tensor<4xi32>', found 'tensor<4xi64>' [G2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "tg.cast"(%a) {element_type = i32} : (tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @cast_c4_result(%a: tensor<4xf32>) {
  // expected-error @+2 {{expected element_type f32, f64, i8, i16, i32, i64, ui8 or i1, found f16 [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.cast %a {element_type = f16} : (tensor<4xf32>) -> tensor<4xf16>
  return
}
