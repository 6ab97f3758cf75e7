// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @abs_ods(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats or integers, but got 'tensor<4xi1>'}}
  %y = "tg.abs"(%x) : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @floor_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.floor"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @round_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.round"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @exp_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.exp"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @expm1_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.expm1"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @log_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.log"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @log1p_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.log1p"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @sqrt_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.sqrt"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @sin_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.sin"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @cos_ods(%x: tensor<4xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi1>'}}
  %y = "tg.cos"(%x) : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @atan_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.atan"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @tanh_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.tanh"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @sigmoid_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.sigmoid"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @erf_ods(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, but got 'tensor<4xi32>'}}
  %y = "tg.erf"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @not_ods(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of integers or boolean values (i1), but got 'tensor<4xf32>'}}
  %y = "tg.not"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @relu_g2(%x: tensor<?xf32>) {
  // expected-error @+1 {{failed to verify that input and result have one type}}
  %y = "tg.relu"(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @relu_g1(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{expected operand 'input' to have a rank up to 16, found 17 [G1]}}
  %y = "tg.relu"(%x) : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

func.func @relu_g5(%x: tensor<4xf32>) {
  // expected-error @+1 {{has no attribute 'alpha'; there is none [G5]}}
  %y = "tg.relu"(%x) {alpha = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
