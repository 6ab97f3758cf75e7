// RUN: tgc-opt %s --split-input-file --tg-join-concatenations --verify-each | FileCheck %s

// Products and their elementwise epilogues are written in place; nested joins
// are merged.

// CHECK-LABEL: func.func @nested
// CHECK: %[[A:[a-z0-9_]+]] = tg.matmul
// CHECK: %[[B:[a-z0-9_]+]] = tg.relu %[[A]]
// CHECK: %[[C:[a-z0-9_]+]] = tgx.join %[[B]], %{{.*}} along 1 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
// CHECK: tgx.join %[[C]], %{{.*}} along 1
// CHECK-NOT: tg.concat
func.func @nested(%x: tensor<?x4xf32> {tg.name = "x"}, %w: tensor<4x16xf32> {tg.name = "w"}) -> (tensor<?x48xf32> {tg.name = "y"}) {
  %a = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
  %b = tg.relu %a : tensor<?x16xf32>
  %t = tg.tanh %a : tensor<?x16xf32>
  %c = tg.concat %b, %t {axis = 1} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
  %n = tg.neg %a : tensor<?x16xf32>
  %y = tg.concat %c, %n {axis = 1} : (tensor<?x32xf32>, tensor<?x16xf32>) -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}

// -----

// A concatenation of cheap elementwise values stays and is computed by a
// kernel.

// CHECK-LABEL: func.func @elementwise
// CHECK: tg.concat
func.func @elementwise(%x: tensor<8x16xf32>) -> tensor<8x32xf32> {
  %a = tg.relu %x : tensor<8x16xf32>
  %b = tg.neg %x : tensor<8x16xf32>
  %y = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// Rows shorter than a cache line, or of unknown length, are not joined.

// CHECK-LABEL: func.func @short
// CHECK-COUNT-2: tg.concat
func.func @short(%x: tensor<8x4xf32>, %w: tensor<4x15xf32>, %v: tensor<4x?xf32>) -> (tensor<8x30xf32>, tensor<8x?xf32>) {
  %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x15xf32>) -> tensor<8x15xf32>
  %b = tg.relu %a : tensor<8x15xf32>
  %y = tg.concat %a, %b {axis = 1} : (tensor<8x15xf32>, tensor<8x15xf32>) -> tensor<8x30xf32>
  %c = tg.matmul %x, %v : (tensor<8x4xf32>, tensor<4x?xf32>) -> tensor<8x?xf32>
  %d = tg.relu %c : tensor<8x?xf32>
  %z = tg.concat %c, %d {axis = 1} : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
  return %y, %z : tensor<8x30xf32>, tensor<8x?xf32>
}

// -----

// No join if more than half would be copied: an input, a repeated value, a
// returned value, or a value with a view.

// CHECK-LABEL: func.func @copies
// CHECK-NOT: tgx.join
func.func @copies(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> (tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<128xf32>) {
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %p = tg.concat %x, %a, %x {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  %q = tg.concat %a, %a, %a {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  %r = tg.relu %a : tensor<8x16xf32>
  %n = tg.neg %a : tensor<8x16xf32>
  %m = tg.reshape %n {shape = [128]} : (tensor<8x16xf32>) -> tensor<128xf32>
  %s = tg.concat %r, %n {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %t = tg.concat %n, %r {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  return %p, %q, %s, %t, %r, %m : tensor<8x48xf32>, tensor<8x48xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<128xf32>
}

// -----

// The extent constraints of a concatenation become entry checks.

// CHECK-LABEL: func.func @checked
// CHECK: tgx.entry_check "dim 0 of input 1" [s0, s1] -> (s1) expected [s0, s1] -> (s0) {op_name = "tg.concat"}
// CHECK: tgx.join
func.func @checked(%x: tensor<?x4xf32> {tg.name = "x"}, %z: tensor<?x4xf32> {tg.name = "z"}, %w: tensor<4x16xf32> {tg.name = "w"}) -> (tensor<?x32xf32> {tg.name = "y"}) {
  %a = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
  %b = tg.matmul %z, %w : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
  %y = tg.concat %a, %b {axis = 1} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
