// RUN: tgc-opt %s --verify-each --verify-diagnostics --pass-pipeline='builtin.module(func.func(tg-join-concatenations),tg-fuse-kernels{fuse=false},tg-place-parts,tg-rematerialize{budget=2048},tg-schedule)' | FileCheck %s

// A buffer whose parts are written in place stays: its calls are not
// recomputed. Calls before and after it may be, and the join precedes its
// readers.

// CHECK-LABEL: tgx.function @joined
// CHECK: %[[W:[a-z0-9_]+]] = tgx.workspace {{.*}} : tensor<8x32xf32>
// CHECK: tgx.launch @exp__joined
// CHECK: %[[A:[a-z0-9_]+]] = tgx.part %[[W]] along 1 at 0
// CHECK: tgx.launch @matmul__joined({{.*}}) into(%[[A]])
// CHECK: %[[B:[a-z0-9_]+]] = tgx.part %[[W]] along 1 at 16
// CHECK: tgx.launch @mul__joined(%[[A]], %{{.*}}) into(%[[B]])
// CHECK: tgx.launch @tanh__joined(%[[W]])
// CHECK: tgx.launch @exp__joined
// CHECK: tgx.launch @mul__joined
// CHECK-NOT: tgx.launch @matmul__joined
// expected-remark @+1 {{for 1 more launches}}
func.func @joined(%x: tensor<8x16xf32> {tg.name = "x"}, %w: tensor<16x16xf32> {tg.name = "w"}) -> (tensor<8x16xf32> {tg.name = "y"}) {
  %kept = tg.exp %x : tensor<8x16xf32>
  %a = tg.matmul %x, %w : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = tg.mul %a, %kept : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %d = tg.tanh %c : tensor<8x32xf32>
  %e = tg.reduce_sum %d {axes = [1], keep_dims} : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %y = tg.mul %kept, %e : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
