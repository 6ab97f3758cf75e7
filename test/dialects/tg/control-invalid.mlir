// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @if_c1(%p: tensor<1xi1>) {
  // expected-error @+1 {{operand #0 must be 0D tensor of 1-bit signless integer values}}
  tg.if %p : (tensor<1xi1>) -> () {
  } else {
  }
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %a: tensor<f32>, %b: tensor<f64>) {
  // expected-error @+1 {{expected value 0 of the else region to be 'tensor<f32>', found 'tensor<f64>' [C2]}}
  %y = tg.if %p : (tensor<i1>) -> tensor<f32> {
    tg.yield %a : tensor<f32>
  } else {
    tg.yield %b : tensor<f64>
  }
  return
}

// -----

func.func @if_c2_count(%p: tensor<i1>, %a: tensor<f32>) {
  // expected-error @+1 {{expected 1 values of the then region, found 0 [C2]}}
  %y = tg.if %p : (tensor<i1>) -> tensor<f32> {
  } else {
    tg.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @while_c1(%x: tensor<?xf32>, %p: tensor<i1>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected value 0 of the body to be 'tensor<?xf32>', found 'tensor<4xf32>' [C1]}}
  %z = tg.while inits(%x) : (tensor<?xf32>) -> tensor<?xf32> cond {
  ^bb0(%v: tensor<?xf32>):
    tg.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<?xf32>):
    tg.yield %y : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected value 0 of the condition to be 'tensor<i1>', found 'tensor<4xf32>' [C2]}}
  %z = tg.while inits(%x) : (tensor<4xf32>) -> tensor<4xf32> cond {
  ^bb0(%v: tensor<4xf32>):
    tg.yield %v : tensor<4xf32>
  } do {
  ^bb0(%v: tensor<4xf32>):
    tg.yield %v : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c3(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-error @+1 {{expected max_trip to be at least 1, found -3 [C3]}}
  %z = tg.while inits(%x) {max_trip = -3} : (tensor<4xf32>) -> tensor<4xf32> cond {
  ^bb0(%v: tensor<4xf32>):
    tg.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<4xf32>):
    tg.yield %v : tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c1(%s: tensor<5xf32>, %xs: tensor<?x5xf32>) {
  // expected-error @+1 {{expected value 1 of the arguments of the body to be 'tensor<5xf32>', found 'tensor<?x5xf32>' [C1]}}
  %y = tg.scan inits(%s) inputs(%xs) : (tensor<5xf32>, tensor<?x5xf32>) -> tensor<5xf32> {
  ^bb0(%acc: tensor<5xf32>, %item: tensor<?x5xf32>):
    tg.yield %acc : tensor<5xf32>
  }
  return
}

// -----

func.func @scan_c2(%s: tensor<5xf32>, %xs: tensor<7x5xf32>) {
  // expected-error @+1 {{expected stacked results of leading extent 7, found 'tensor<?x5xf32>' [C2]}}
  %y, %z = tg.scan inits(%s) inputs(%xs) : (tensor<5xf32>, tensor<7x5xf32>) -> (tensor<5xf32>, tensor<?x5xf32>) {
  ^bb0(%acc: tensor<5xf32>, %item: tensor<5xf32>):
    tg.yield %acc, %item : tensor<5xf32>, tensor<5xf32>
  }
  return
}

// -----

func.func @scan_c3(%a: tensor<6x5xf32>, %b: tensor<7x5xf32>) {
  // expected-error @+1 {{expected inputs of equal leading extents, found 6 and 7 [C3]}}
  tg.scan inputs(%a, %b) : (tensor<6x5xf32>, tensor<7x5xf32>) -> () {
  ^bb0(%one: tensor<5xf32>, %other: tensor<5xf32>):
    tg.yield
  }
  return
}

// -----

func.func @scan_c3_rank(%a: tensor<f32>) {
  // expected-error @+1 {{expected inputs of rank 1 or more, found 'tensor<f32>' as input 0 [C3]}}
  tg.scan inputs(%a) : (tensor<f32>) -> () {
  ^bb0(%one: tensor<f32>):
    tg.yield
  }
  return
}

// -----

func.func @scan_c4(%s: tensor<f32>) {
  // expected-error @+1 {{expected a length, since there are no inputs, found none [C4]}}
  %y = tg.scan inits(%s) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%acc: tensor<f32>):
    tg.yield %acc : tensor<f32>
  }
  return
}

// -----

func.func @scan_c4_negative(%s: tensor<f32>) {
  // expected-error @+1 {{expected a length of at least 0, found -1 [C4]}}
  %y = tg.scan inits(%s) {length = -1} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%acc: tensor<f32>):
    tg.yield %acc : tensor<f32>
  }
  return
}

// -----

func.func @scan_c5(%s: tensor<f32>) {
  // expected-error @+1 {{expected segments to be at least 0, found -2 [C5]}}
  %y = tg.scan inits(%s) {length = 3, segments = -2} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%acc: tensor<f32>):
    tg.yield %acc : tensor<f32>
  }
  return
}

// -----

func.func @yield_c1(%s: tensor<f32>) {
  // expected-error @+1 {{expects parent op to be one of}}
  tg.yield %s : tensor<f32>
}

// -----

// An op before a region cannot use a value of the region, whatever other errors
// the module has.

func.func @if_outside(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %z = tg.neg %a : tensor<4xf32>
  // expected-error @+1 {{expected values that a region defines to be used only in it, found a use before the region}}
  %y = tg.custom_gradient %x : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  } gradient {
    tg.nothing
  }
  return %y : tensor<4xf32>
}
