// Unused inputs and variables give a warning each, unless the warning is
// switched off; the library is still written.
// RUN: tgc %s -o %t.so 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: tgc-run %t.so | FileCheck %s --check-prefix=LIBRARY
// RUN: tgc %s --no-warnings -o %t.so 2>&1 | count 0

// LIBRARY: train

module @unused {
  tg.variable @w {trainable} : tensor<3xf32>
  // CHECK-DAG: unused.mlir:[[@LINE+1]]:3: warning: no function changes trainable variable 'frozen'
  tg.variable @frozen {trainable} : tensor<3xf32>
  tg.variable @fixed : tensor<3xf32>
  func.func @init() attributes {tg.role = "init"} {
    %0 = tg.constant dense<0.0> : tensor<3xf32>
    tg.assign @w, %0 : tensor<3xf32>
    tg.assign @frozen, %0 : tensor<3xf32>
    tg.assign @fixed, %0 : tensor<3xf32>
    func.return
  }
  func.func @train(%x: tensor<3xf32> {tg.name = "x"},
                   %rate: tensor<f32> {tg.name = "rate"}) attributes {tg.role = "train"} {
    // CHECK-DAG: unused.mlir:[[@LINE-1]]:20: warning: no function uses input 'rate'
    tg.assign @w, %x : tensor<3xf32>
    func.return
  }
  func.func @test(%x: tensor<3xf32> {tg.name = "x"})
      -> (tensor<3xf32> {tg.name = "y"}) attributes {tg.role = "test"} {
    %w = tg.read @w : tensor<3xf32>
    func.return %w : tensor<3xf32>
  }
}
