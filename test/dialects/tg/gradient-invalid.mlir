// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @gradient_c1(%loss: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{operand #0 must be 0D tensor of floats}}
  %g = tg.gradient %loss wrt(%loss) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

func.func @gradient_c2_type(%loss: tensor<f32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{expected values that are floating point, found 'tensor<4xi32>' [C2]}}
  %g = tg.gradient %loss wrt(%x) : (tensor<f32>, tensor<4xi32>) -> tensor<4xi32>
  return %g : tensor<4xi32>
}

// -----

func.func @gradient_c2_none(%loss: tensor<f32>) {
  // expected-error @+1 {{expected at least one value or variable [C2]}}
  tg.gradient %loss : (tensor<f32>) -> ()
  return
}

// -----

func.func @gradient_c2_twice(%loss: tensor<f32>) {
  // expected-error @+1 {{expected every value once [C2]}}
  %g:2 = tg.gradient %loss wrt(%loss, %loss) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

tg.variable @step : tensor<i64>
func.func @gradient_c2_variable(%loss: tensor<f32>) {
  // expected-error @+1 {{expected variables that are floating point, found 'tensor<i64>' [C2]}}
  %g = tg.gradient %loss variables [@step] : (tensor<f32>) -> tensor<i64>
  return
}

// -----

func.func @gradient_c2_unknown(%loss: tensor<f32>) {
  // expected-error @+1 {{expected @w to name a variable [C2]}}
  %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @gradient_c3_count(%loss: tensor<f32>) {
  // expected-error @+1 {{expected 1 results, found 2 [C3]}}
  %g:2 = tg.gradient %loss wrt(%loss) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @gradient_c3_type(%loss: tensor<f32>, %x: tensor<?xf32>) {
  // expected-error @+1 {{expected a gradient of type 'tensor<?xf32>', found 'tensor<4xf32>' [C3]}}
  %g = tg.gradient %loss wrt(%x) : (tensor<f32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

tg.variable @w : tensor<4xf32>
func.func @gradient_c3_variable(%loss: tensor<f32>) {
  // expected-error @+1 {{expected a gradient of type 'tensor<4xf32>', found 'tensor<5xf32>' [C3]}}
  %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<5xf32>
  return
}
