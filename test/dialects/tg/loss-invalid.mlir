// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @softmax_cross_entropy_c1(%x: tensor<f32>, %l: tensor<i32>) {
  // expected-error @+2 {{expected logits of a rank of at least 1, found 0 [C1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @softmax_cross_entropy_c2_unknown(%x: tensor<4x?xf32>, %l: tensor<4xi32>) {
  // expected-error @+2 {{expected the last extent of logits to be static and at least 1, found ? [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x?xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_cross_entropy_c2_empty(%x: tensor<4x0xf32>, %l: tensor<4xi32>) {
  // expected-error @+2 {{expected the last extent of logits to be static and at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x0xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_cross_entropy_c3_type(%x: tensor<4x3xf32>, %l: tensor<4x3xf64>) {
  // expected-error @+2 {{expected labels of the logits' type or of i32, i64 or ui8, found f64 and f32 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x3xf32>, tensor<4x3xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_cross_entropy_c3_truth_values(%x: tensor<4x3xf32>, %l: tensor<4xi1>) {
  // expected-error @+2 {{expected labels of the logits' type or of i32, i64 or ui8, found i1 and f32 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x3xf32>, tensor<4xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_cross_entropy_c3_rank(%x: tensor<4x3xf32>, %l: tensor<4x3xi32>) {
  // expected-error @+2 {{expected labels of rank 1 for class numbers, found 2 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_cross_entropy_c3_extent(%x: tensor<4x3xf32>, %l: tensor<5xi32>) {
  // expected-error @+2 {{expected logits dim 0 (4) to equal labels dim 0 (5) [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax_cross_entropy %x, %l : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<4xf32>
  return
}
