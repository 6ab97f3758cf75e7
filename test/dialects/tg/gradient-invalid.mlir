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
  // expected-error @+1 {{expected at least one value or variable, found none [C2]}}
  tg.gradient %loss : (tensor<f32>) -> ()
  return
}

// -----

func.func @gradient_c2_twice(%loss: tensor<f32>) {
  // expected-error @+1 {{expected every value once, found value 1 twice [C2]}}
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
  // expected-error @+1 {{expected @w to name a variable; there is none [C2]}}
  %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

tg.variable @embedding : tensor<f32>
func.func @gradient_c2_misspelt(%loss: tensor<f32>) {
  // expected-error @+1 {{expected @embeding to name a variable; did you mean 'embedding'? [C2]}}
  %g = tg.gradient %loss variables [@embeding] : (tensor<f32>) -> tensor<f32>
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

// -----

func.func @custom_gradient_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected forward to take 1 values, found 2 [C1]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c1_argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected forward to take 'tensor<4xf32>' as value 0, found 'tensor<5xf32>' [C1]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<5xf32>):
    tg.yield %a : tensor<5xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c1_yield(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected forward to yield 'tensor<4xf32>' as value 0, found 'tensor<f32>' [C1]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %c = tg.constant dense<1.0> : tensor<f32>
    tg.yield %c : tensor<f32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected backward to take 3 values, found 2 [C2]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c2_argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected backward to take 'tensor<4xf32>' as value 2, found 'tensor<4xf64>' [C2]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf64>):
    tg.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c2_yield(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected backward to yield 1 values, found 2 [C2]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g, %g : tensor<4xf32>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

tg.variable @w : tensor<4xf32>
func.func @custom_gradient_c3(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected only pure ops in its regions, found 'tg.read' [C3]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %w = tg.read @w : tensor<4xf32>
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

tg.variable @w : tensor<4xf32>
func.func @custom_gradient_c3_assign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected only pure ops in its regions, found 'tg.assign' [C3]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.assign @w, %g : tensor<4xf32>
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c3_host_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected only pure ops in its regions, found 'tg.host_call' [C3]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.host_call "f"() : () -> ()
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c3_print(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected only pure ops in its regions, found 'tg.print' [C3]}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.print "g", %g : tensor<4xf32>
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @custom_gradient_c3_gradient(%x: tensor<f32>) -> tensor<f32> {
  %y = tg.custom_gradient %x : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    tg.yield %a : tensor<f32>
  } gradient {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %g: tensor<f32>):
    // expected-error @+1 {{expected to be at the top level of a function body, found in tg.custom_gradient [C3]}}
    %h = tg.gradient %b wrt(%a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %h : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func @custom_gradient_isolated(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{using value defined outside the region}}
    %b = tg.add %a, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %b : tensor<4xf32>
  } gradient {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %g: tensor<4xf32>):
    tg.yield %g : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
