// RUN: tgc-opt %s --tg-expand-gradients --split-input-file --verify-diagnostics

func.func @gradient_c4_value(%x: tensor<f32> {tg.name = "x"}, %y: tensor<f32> {tg.name = "y"}) -> (tensor<f32> {tg.name = "g"}) {
  %l = tg.neg %x : tensor<f32>
  // expected-error @+1 {{'tg.gradient' op expected the target to depend differentiably on value 1; allow_unconnected gives zeros [C4]}}
  %gx, %gy = tg.gradient %l wrt(%x, %y) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %gy : tensor<f32>
}

// -----

tg.variable @w {trainable} : tensor<f32>
func.func @gradient_c4_variable(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  // expected-error @+1 {{'tg.gradient' op expected the target to depend differentiably on variable @w; allow_unconnected gives zeros [C4]}}
  %g = tg.gradient %x variables [@w] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @gradient_c4_stop_gradient(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %s = tg.stop_gradient %x : tensor<f32>
  %l = tg.neg %s : tensor<f32>
  // expected-error @+1 {{value 0; allow_unconnected gives zeros [C4]}}
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// The path ends without a diagnostic at the conversion to integers.
func.func @gradient_c4_integers(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  %i = tg.cast %x {element_type = i32} : (tensor<f32>) -> tensor<i32>
  %l = tg.cast %i {element_type = f32} : (tensor<i32>) -> tensor<f32>
  // expected-error @+1 {{value 0; allow_unconnected gives zeros [C4]}}
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// Calls are inlined before this pass; a remaining call stands for any op
// without a gradient rule.
func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @gradient_c5_no_rule(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  // expected-error @+1 {{'func.call' op has no gradient, but a requested gradient passes through it; expected tg.stop_gradient before it or tg.custom_gradient around it [C5]}}
  %l = func.call @helper(%x) : (tensor<f32>) -> tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

tg.variable @w {trainable} : tensor<f32>
func.func @gradient_c5_read_after_update() -> (tensor<f32> {tg.name = "g"}) {
  // expected-note @+1 {{updated here}}
  tg.update [[@w]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %new = tg.neg %old : tensor<f32>
    tg.yield %new : tensor<f32>
  }
  // expected-error @+1 {{'tg.read' op expected no tg.update of @w before this read, because a gradient passes through it; a read before the update or tg.stop_gradient avoids this [C5]}}
  %l = tg.read @w : tensor<f32>
  %g = tg.gradient %l variables [@w] : (tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// The update makes the variable depend on the wanted value.
tg.variable @v : tensor<f32>
func.func @gradient_c5_update_from_value(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "g"}) {
  // expected-note @+1 {{updated here}}
  tg.update [[@v]] : () -> () {
  ^bb0(%old: tensor<f32>):
    %new = tg.add %old, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %new : tensor<f32>
  }
  // expected-error @+1 {{[C5]}}
  %l = tg.read @v : tensor<f32>
  %g = tg.gradient %l wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
