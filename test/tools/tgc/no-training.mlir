// A function that should train by its role or name, but changes no variable,
// gives a warning, unless it gives gradients to its caller.
// RUN: split-file %s %t.dir
// RUN: tgc %t.dir/role.mlir -o %t.so 2>&1 | FileCheck %t.dir/role.mlir --implicit-check-not=warning
// RUN: tgc %t.dir/gradients.mlir -o %t.so 2>&1 | count 0
// RUN: tgc %t.dir/counts.mlir -o %t.so 2>&1 | count 0

//--- role.mlir
// CHECK: role.mlir:[[#@LINE+8]]:3: warning: function 'fit' changes no variable, expected updates, such as those of an optimizer
module @role {
  tg.variable @w {trainable} : tensor<3xf32>
  func.func @init() attributes {tg.role = "init"} {
    %0 = tg.constant dense<0.0> : tensor<3xf32>
    tg.assign @w, %0 : tensor<3xf32>
    func.return
  }
  func.func @fit() -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {
    %w = tg.read @w : tensor<3xf32>
    %loss = tg.reduce_sum %w : (tensor<3xf32>) -> tensor<f32>
    %unused = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    func.return %loss : tensor<f32>
  }
}

//--- gradients.mlir
module @gradients {
  tg.variable @w {trainable} : tensor<3xf32>
  func.func @init() attributes {tg.role = "init"} {
    %0 = tg.constant dense<0.0> : tensor<3xf32>
    tg.assign @w, %0 : tensor<3xf32>
    func.return
  }
  func.func @train() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %loss = tg.reduce_sum %w : (tensor<3xf32>) -> tensor<f32>
    %gradient = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    func.return %gradient : tensor<3xf32>
  }
}

//--- counts.mlir
module @counts {
  func.func @train(%x: tensor<3xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "sum"}) {
    %sum = tg.reduce_sum %x : (tensor<3xf32>) -> tensor<f32>
    func.return %sum : tensor<f32>
  }
}
