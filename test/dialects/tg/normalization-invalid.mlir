// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @softmax_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax %x {axis = 2} : tensor<4x5xf32>
  return
}

// -----

func.func @softmax_c1_rank(%x: tensor<f32>) {
  // expected-error @+2 {{expected axis 0 to be in [0, 0) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.softmax %x {axis = 0} : tensor<f32>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 2 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.log_softmax %x {axis = 2} : tensor<4x5xf32>
  return
}

// -----

func.func @log_softmax_c1_rank(%x: tensor<f32>) {
  // expected-error @+2 {{expected axis 0 to be in [0, 0) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = tg.log_softmax %x {axis = 0} : tensor<f32>
  return
}

// -----

func.func @softmax_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.softmax"(%x) {axis = 0 : i64} : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @moments_c1(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{expected axis 7 to be in [0, 2) [G3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %m, %v = tg.moments %x {axes = [7]} : (tensor<4x5xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
