// A loop that reads the result of another one does not join it.
// RUN: tgc-opt %s --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{joined_slots = 512}"},tg-fuse-kernels,tg-join-loops)' | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = tgx.call @exp__chain
// CHECK: %[[B:.*]] = tg.reshape %[[A]]
// CHECK: tgx.call @{{.*}}(%[[B]])
// CHECK: return
// CHECK-NOT: parts
func.func @chain(%x: tensor<2x3xf32> {tg.name = "x"}) -> (tensor<6xf32> {tg.name = "y"}) {
  %a = tg.exp %x : tensor<2x3xf32>
  %b = tg.reshape %a {shape = [6]} : (tensor<2x3xf32>) -> tensor<6xf32>
  %c = tg.neg %b : tensor<6xf32>
  return %c : tensor<6xf32>
}
