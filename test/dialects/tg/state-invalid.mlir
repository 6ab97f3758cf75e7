// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a static type, found 'tensor<?xf32>' [C1]}}
tg.variable @w : tensor<?xf32>

// -----

func.func @variable_c1_nested() {
  // expected-error @+1 {{expects parent op 'builtin.module'}}
  tg.variable @w : tensor<4xf32>
  return
}

// -----

// variable_c2
// expected-error @+1 {{expected a trainable variable to be floating point, found 'tensor<4xi32>' [C2]}}
tg.variable @w {trainable} : tensor<4xi32>

// -----

tg.variable @w : tensor<4xf32>
// variable_c3
// expected-error @+1 {{expected slot_of to name another variable that is trainable, found @w [C3]}}
tg.variable @w_m {slot_of = @w} : tensor<4xf32>

// -----

// expected-error @+1 {{attribute 'role' failed to satisfy constraint}}
tg.variable @w {role = "weight"} : tensor<4xf32>

// -----

// expected-error @+1 {{has no attribute 'trainabel'; did you mean 'trainable'? [G5]}}
tg.variable @w {trainabel} : tensor<4xf32>

// -----

func.func @read_c1() -> tensor<4xf32> {
  // expected-error @+1 {{expected @w to name a variable; there is none [C1]}}
  %w = tg.read @w : tensor<4xf32>
  return %w : tensor<4xf32>
}

// -----

tg.variable @w : tensor<4xf32>
func.func @read_c2() -> tensor<5xf32> {
  // expected-error @+1 {{expected the type of @w ('tensor<4xf32>'), found 'tensor<5xf32>' [C2]}}
  %w = tg.read @w : tensor<5xf32>
  return %w : tensor<5xf32>
}

// -----

func.func @assign_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected @assign_c1 to name a variable; there is none [C1]}}
  tg.assign @assign_c1, %x : tensor<4xf32>
  return
}

// -----

tg.variable @w : tensor<4xf32>
func.func @assign_c2(%x: tensor<?xf32>) {
  // expected-error @+1 {{expected the type of @w ('tensor<4xf32>'), found 'tensor<?xf32>' [C2]}}
  tg.assign @w, %x : tensor<?xf32>
  return
}

// -----

tg.variable @a : tensor<4xf32>
tg.variable @b : tensor<4xf32>
tg.variable @c : tensor<4xf32>
func.func @update_c1_length() {
  // expected-error @+1 {{expected groups of one common length of at least 1, found 2 and 1 [C1]}}
  tg.update [[@a, @b], [@c]] : () -> () {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tg.yield %x, %y : tensor<f32>, tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
func.func @update_c1_twice() {
  // expected-error @+1 {{expected @a to occur once [C1]}}
  tg.update [[@a], [@a]] : () -> () {
  ^bb0(%x: tensor<f32>):
    tg.yield %x : tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
tg.variable @b : tensor<5xf32>
func.func @update_c2_shape() {
  // expected-error @+1 {{expected one shape in a group, found 'tensor<4xf32>' and 'tensor<5xf32>' [C2]}}
  tg.update [[@a, @b]] : () -> () {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tg.yield %x, %y : tensor<f32>, tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
tg.variable @b : tensor<4xf64>
func.func @update_c2_types() {
  // expected-error @+1 {{expected group 1 to have the element types of group 0, found 'f64' and 'f32' [C2]}}
  tg.update [[@a], [@b]] : () -> () {
  ^bb0(%x: tensor<f32>):
    tg.yield %x : tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
tg.variable @b : tensor<4xf32>
func.func @update_c3(%g: tensor<4xf32>) {
  // expected-error @+1 {{expected no input or one per group (2), found 1 [C3]}}
  tg.update [[@a], [@b]] inputs(%g) : (tensor<4xf32>) -> () {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tg.yield %x : tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
func.func @update_c4_argument() {
  // expected-error @+1 {{expected argument 0 of the body to be 'tensor<f32>', found 'tensor<f64>' [C4]}}
  tg.update [[@a]] : () -> () {
  ^bb0(%x: tensor<f64>):
    tg.yield %x : tensor<f64>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
func.func @update_c4_yield() {
  // expected-error @+1 {{expected the body to yield 1 values, found 2 [C4]}}
  tg.update [[@a]] : () -> () {
  ^bb0(%x: tensor<f32>):
    tg.yield %x, %x : tensor<f32>, tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
func.func @update_c5_op() {
  // expected-error @+1 {{expected only elementwise ops and constants in the body, found 'tg.reduce_sum' [C5]}}
  tg.update [[@a]] : () -> () {
  ^bb0(%x: tensor<f32>):
    %y = tg.reduce_sum %x : (tensor<f32>) -> tensor<f32>
    tg.yield %y : tensor<f32>
  }
  return
}

// -----

tg.variable @a : tensor<4xf32>
func.func @update_c5_rank(%g: tensor<4xf32>) {
  // expected-error @+1 {{expected only rank-0 values in the body, found 'tensor<4xf32>' [C5]}}
  tg.update [[@a]] : () -> () {
  ^bb0(%x: tensor<f32>):
    %y = tg.add %x, %g : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
    tg.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @yield_c1(%x: tensor<f32>) {
  // expected-error @+1 {{expects parent op to be one of}}
  tg.yield %x : tensor<f32>
}

// -----

// expected-error @+1 {{expected slot_of to name another variable that is trainable, found @w [C3]}}
tg.variable @w {slot_of = @w, trainable} : tensor<4xf32>

// -----

// expected-error @+1 {{expected the variable to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'tensor<4xf32, "rows">' [G1]}}
tg.variable @w : tensor<4xf32, "rows">

// -----

tg.variable @w : tensor<4xf32>
func.func @update_c4_rank() {
  // expected-error @+1 {{expected arguments of the body of rank 0, found 'tensor<4xf32>' [C4]}}
  tg.update [[@w]] : () -> () {
  ^bb0(%a: tensor<4xf32>):
    tg.yield %a : tensor<4xf32>
  }
  return
}
