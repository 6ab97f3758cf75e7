// RUN: tgc-opt %s --split-input-file --verify-diagnostics=only-expected

func.func @random_uniform_c1(%s: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected stream to be below 2^32, found 4294967296 [C1]}}
  %y = tg.random_uniform %s, %s {shape = [4], stream = 4294967296 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @random_normal_c1(%s: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected stream to be below 2^32, found 4294967296 [C1]}}
  %y = tg.random_normal %s, %s {shape = [4], stream = 4294967296 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @random_uniform_ods(%s: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'stream' failed to satisfy constraint}}
  %y = tg.random_uniform %s, %s {shape = [4], stream = -2 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @random_uniform_g4_stream(%s: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a dynamic operand for stream, found none [G4]}}
  %y = tg.random_uniform %s, %s {shape = [4], stream = -1 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @random_normal_c2(%s: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected element_type f32 or f64, found i32 [C2]}}
  %y = tg.random_normal %s, %s {element_type = i32, shape = [4], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @random_uniform_c3(%s: tensor<i64>) -> tensor<17179869184xf32> {
  // expected-error @+1 {{expected fewer than 17179869184 elements, found 17179869184 [C3]}}
  %y = tg.random_uniform %s, %s {shape = [17179869184], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<17179869184xf32>
  return %y : tensor<17179869184xf32>
}

// -----

func.func @random_normal_c3(%s: tensor<i64>) -> tensor<8589934592xf64> {
  // expected-error @+1 {{expected fewer than 8589934592 elements, found 8589934592 [C3]}}
  %y = tg.random_normal %s, %s {element_type = f64, shape = [8589934592], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<8589934592xf64>
  return %y : tensor<8589934592xf64>
}

// -----

func.func @random_normal_g4(%s: tensor<i64>) -> tensor<?xf32> {
  // expected-error @+1 {{expected as many dynamic operands as -1 entries of shape (1), found 0 [G4]}}
  %y = tg.random_normal %s, %s {shape = [-1], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @random_uniform_c2_result(%s: tensor<i64>) -> tensor<4xi32> {
  // expected-error @+1 {{expected element_type f32 or f64, found i32 [C2]}}
  %y = tg.random_uniform %s, %s {element_type = i32, shape = [4], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
