// Libraries that stop at the first NaN or infinity.
// RUN: tgc %s -o %t.so --trap-nan --report=%t.json --target=x86-64-v2 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: trap-nan.mlir:[[#@LINE+29]]:3: remark: trap-nan: function 'train' has 12 checks
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "nan_checks": {
// REPORT: "nan_checks": {
// REPORT-NEXT: "bytes": "n * 208 + 392",
// REPORT-NEXT: "checks": 12,
// REPORT-NEXT: "copied_bytes": 128

// RUN: python3 %root/tools/dev/make-npy.py %t.x.npy f32 3 4 --seed 1
// RUN: tgc-run %t.so init --save %t.before
// RUN: tgc-run %t.so train --input x=%t.x.npy --input rate=0.1 --load %t.before --save %t.after
// RUN: not tgc-run %t.so train --input x=%t.x.npy --input rate=inf --load %t.before 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: trap-nan.mlir:[[#@LINE+17]]:78: input 'rate': value at element 0 is infinite, expected a finite number

// The loss of diverged weights, and the gradient before it is used.
// RUN: not tgc-run %t.so train --input x=%t.x.npy --input rate=3e38 --load %t.before 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: trap-nan.mlir:[[#@LINE+20]]:10: tg.mul: result at element {{[0-9]+}} is infinite, expected a finite number

// RUN: not tgc %s -o %t.so --trap-nan=inf 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: tgc: error: expected --trap-nan to be all or nan, found 'inf'

module @nan {
  tg.variable @w {trainable} : tensor<4x8xf32>
  func.func @init() attributes {tg.role = "init"} {
    %start = tg.constant dense<0.001> : tensor<4x8xf32>
    tg.assign @w, %start : tensor<4x8xf32>
    return
  }

  func.func @train(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["n", ""]}, %rate: tensor<f32> {tg.name = "rate"}) -> (tensor<f32> {tg.name = "loss"}) {
    %w = tg.read @w : tensor<4x8xf32>
    %p = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
    %l = tg.log %p : tensor<?x8xf32>
    %q = tg.mul %l, %l : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %loss = tg.reduce_sum %q : (tensor<?x8xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4x8xf32>
    %d = tg.mul %rate, %g : (tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %new = tg.sub %w, %d : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    tg.assign @w, %new : tensor<4x8xf32>
    return %loss : tensor<f32>
  }
}
