// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders,tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights,tg-rematerialize{budget=1500000})' --verify-diagnostics | FileCheck %s

// The transformed filter of the second convolution has 2.4 MB, the first one
// 147 KB. Only the second convolution transforms its filter itself, and no
// uncalled kernel remains.

// CHECK-LABEL: func.func @unpacked
// CHECK-SAME: tgx.recomputed = {arena_bytes = {{[0-9]+}} : i64, flops = 0 : i64, launches = 0 : i64, unpacked = 1 : i64}
// CHECK: %[[PANELS:.*]] = tgx.call @pack_3x3x32x32_f32_winograd(
// CHECK: tgx.call @[[FIRST:.*]](%{{.*}}, %[[PANELS]])
// CHECK-NOT: tgx.call @pack
// CHECK: tgx.call @[[SECOND:.*]](%{{.*}}, %arg2) : (tensor<2x64x64x32xf32>, tensor<3x3x32x512xf32>)
// CHECK-NOT: tgx.kernel @pack_3x3x32x512
// CHECK: tgx.kernel @[[FIRST]] contraction({{.*}}) attributes {algorithm = "winograd"}
// CHECK-NOT: tgx.kernel
// CHECK: tgx.kernel @[[SECOND]] contraction(%{{.*}}, %{{.*}}: tensor<3x3x32x512xf32>) attributes {algorithm = "winograd"}
// CHECK-NOT: tgx.kernel
// expected-remark @+1 {{' has 1196032 bytes instead of 3407872, for 0 more launches with 0 FLOPs; 1 of its convolutions read unpacked filters, which takes longer}}
func.func @unpacked(%x: tensor<2x64x64x32xf32> {tg.name = "x"}, %v: tensor<3x3x32x32xf32> {tg.name = "v"}, %w: tensor<3x3x32x512xf32> {tg.name = "w"}) -> (tensor<2x64x64x512xf32> {tg.name = "y"}) {
  %a = tg.conv %x, %v {padding = "same"} : (tensor<2x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<2x64x64x32xf32>
  %y = tg.conv %a, %w {padding = "same"} : (tensor<2x64x64x32xf32>, tensor<3x3x32x512xf32>) -> tensor<2x64x64x512xf32>
  return %y : tensor<2x64x64x512xf32>
}
