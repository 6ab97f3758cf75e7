// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @abs
func.func @abs(%x: tensor<?x4xf32>) {
  // CHECK: tg.abs %{{.*}} : tensor<?x4xf32>
  %y = tg.abs %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @neg
func.func @neg(%x: tensor<?x4xf32>) {
  // CHECK: tg.neg %{{.*}} : tensor<?x4xf32>
  %y = tg.neg %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @sign
func.func @sign(%x: tensor<?x4xf32>) {
  // CHECK: tg.sign %{{.*}} : tensor<?x4xf32>
  %y = tg.sign %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @floor
func.func @floor(%x: tensor<?x4xf32>) {
  // CHECK: tg.floor %{{.*}} : tensor<?x4xf32>
  %y = tg.floor %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @round
func.func @round(%x: tensor<?x4xf32>) {
  // CHECK: tg.round %{{.*}} : tensor<?x4xf32>
  %y = tg.round %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @exp
func.func @exp(%x: tensor<?x4xf32>) {
  // CHECK: tg.exp %{{.*}} : tensor<?x4xf32>
  %y = tg.exp %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @expm1
func.func @expm1(%x: tensor<?x4xf32>) {
  // CHECK: tg.expm1 %{{.*}} : tensor<?x4xf32>
  %y = tg.expm1 %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @log
func.func @log(%x: tensor<?x4xf32>) {
  // CHECK: tg.log %{{.*}} : tensor<?x4xf32>
  %y = tg.log %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @log1p
func.func @log1p(%x: tensor<?x4xf32>) {
  // CHECK: tg.log1p %{{.*}} : tensor<?x4xf32>
  %y = tg.log1p %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @sqrt
func.func @sqrt(%x: tensor<?x4xf32>) {
  // CHECK: tg.sqrt %{{.*}} : tensor<?x4xf32>
  %y = tg.sqrt %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @sin
func.func @sin(%x: tensor<?x4xf32>) {
  // CHECK: tg.sin %{{.*}} : tensor<?x4xf32>
  %y = tg.sin %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @cos
func.func @cos(%x: tensor<?x4xf32>) {
  // CHECK: tg.cos %{{.*}} : tensor<?x4xf32>
  %y = tg.cos %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @atan
func.func @atan(%x: tensor<?x4xf32>) {
  // CHECK: tg.atan %{{.*}} : tensor<?x4xf32>
  %y = tg.atan %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @tanh
func.func @tanh(%x: tensor<?x4xf32>) {
  // CHECK: tg.tanh %{{.*}} : tensor<?x4xf32>
  %y = tg.tanh %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @sigmoid
func.func @sigmoid(%x: tensor<?x4xf32>) {
  // CHECK: tg.sigmoid %{{.*}} : tensor<?x4xf32>
  %y = tg.sigmoid %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @erf
func.func @erf(%x: tensor<?x4xf32>) {
  // CHECK: tg.erf %{{.*}} : tensor<?x4xf32>
  %y = tg.erf %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @relu
func.func @relu(%x: tensor<?x4xf32>) {
  // CHECK: tg.relu %{{.*}} : tensor<?x4xf32>
  %y = tg.relu %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func @abs_of_integers
func.func @abs_of_integers(%x: tensor<ui8>, %n: tensor<0x3xi64>) {
  // CHECK: tg.abs %{{.*}} : tensor<ui8>
  %y = tg.abs %x : tensor<ui8>
  // CHECK: tg.abs %{{.*}} : tensor<0x3xi64>
  %z = tg.abs %n : tensor<0x3xi64>
  return
}

// CHECK-LABEL: func @neg_of_integers
func.func @neg_of_integers(%x: tensor<ui8>, %n: tensor<0x3xi64>) {
  // CHECK: tg.neg %{{.*}} : tensor<ui8>
  %y = tg.neg %x : tensor<ui8>
  // CHECK: tg.neg %{{.*}} : tensor<0x3xi64>
  %z = tg.neg %n : tensor<0x3xi64>
  return
}

// CHECK-LABEL: func @sign_of_integers
func.func @sign_of_integers(%x: tensor<ui8>, %n: tensor<0x3xi64>) {
  // CHECK: tg.sign %{{.*}} : tensor<ui8>
  %y = tg.sign %x : tensor<ui8>
  // CHECK: tg.sign %{{.*}} : tensor<0x3xi64>
  %z = tg.sign %n : tensor<0x3xi64>
  return
}

// CHECK-LABEL: func @relu_of_integers
func.func @relu_of_integers(%x: tensor<ui8>, %n: tensor<0x3xi64>) {
  // CHECK: tg.relu %{{.*}} : tensor<ui8>
  %y = tg.relu %x : tensor<ui8>
  // CHECK: tg.relu %{{.*}} : tensor<0x3xi64>
  %z = tg.relu %n : tensor<0x3xi64>
  return
}

// CHECK-LABEL: func @not
func.func @not(%p: tensor<?x4xi1>, %n: tensor<4xi32>) {
  // CHECK: tg.not %{{.*}} : tensor<?x4xi1>
  %y = tg.not %p : tensor<?x4xi1>
  // CHECK: tg.not %{{.*}} : tensor<4xi32>
  %z = tg.not %n : tensor<4xi32>
  return
}
