// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @reduce_sum_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_sum %x {axes = [2]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_sum_c1_twice(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axes without duplicates, found 1 twice [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_sum %x {axes = [1, 1]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_prod_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_prod %x {axes = [2]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_prod_c1_twice(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axes without duplicates, found 1 twice [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_prod %x {axes = [1, 1]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_max_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_max %x {axes = [2]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_max_c1_twice(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axes without duplicates, found 1 twice [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_max %x {axes = [1, 1]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_min_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_min %x {axes = [2]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_min_c1_twice(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axes without duplicates, found 1 twice [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.reduce_min %x {axes = [1, 1]} : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_sum_ods(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats or integers, but got 'tensor<4xi1>'}}
  %y = tg.reduce_sum %x : (tensor<4xi1>) -> tensor<i1>
  return
}

// -----

func.func @argmax_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis -1 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.argmax %x {axis = -1} : (tensor<4x5xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c2(%x: tensor<4x0xf32>) {
  // expected-error @+2 {{expected the extent of axis 1 to be at least 1, found 0 [C2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.argmax %x {axis = 1} : (tensor<4x0xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @cumsum_ods(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats or integers, but got 'tensor<4xi1>'}}
  %y = "tg.cumsum"(%x) {axis = 0 : i64} : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @cumsum_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis -1 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.cumsum %x {axis = -1} : tensor<4x5xf32>
  return
}

// -----

func.func @cumsum_c1_rank(%x: tensor<i32>) {
  // expected-error @+2 {{expected axis 0 to be in [0, 0) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.cumsum %x {axis = 0} : tensor<i32>
  return
}

// -----

func.func @cumsum_axis_required(%x: tensor<4xi32>) {
  // expected-error @+1 {{'tg.cumsum' op requires attribute 'axis'}}
  %y = tg.cumsum %x : tensor<4xi32>
  return
}

// -----

func.func @top_k_c3_rank(%x: tensor<f32>) {
  // expected-error @+2 {{expected a rank of at least 1, found 0 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %v, %i = tg.top_k %x {k = 0} : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  return
}

// -----

func.func @top_k_c3_k(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected k to be at least -1, found -2 [C3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %v, %i = tg.top_k %x {k = -2} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @top_k_c4(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected k (5) to be at most the last extent (4) [C4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %v, %i = tg.top_k %x {k = 5} : (tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi64>)
  return
}

// -----

func.func @top_k_g4(%x: tensor<4xf32>, %n: tensor<i64>) {
  // expected-error @+2 {{expected as many dynamic operands as k needs (0), found 1 [G4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %v, %i = tg.top_k %x, %n {k = 2} : (tensor<4xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xi64>)
  return
}
