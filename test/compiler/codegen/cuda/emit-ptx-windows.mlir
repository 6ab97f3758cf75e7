// A thread computes 8 neighbouring windows of a channel, of which it loads each
// row once: 10 elements and 3 taps for 24 products. Threads of a block share
// the sums of the gradient of the filter.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch channels: 6 parameters, threads affine_map<() -> (401408)> in blocks of 128
// CHECK: // launch gradient: 6 parameters, threads affine_map<() -> (4608)> in blocks of 128

// CHECK-LABEL: .visible .entry channels(
// CHECK-NOT: bar.sync
// CHECK-COUNT-3: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK-COUNT-24: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK-COUNT-10: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK-COUNT-8: st.global.b32
// CHECK: ret;
tgx.kernel @channels contraction(%x: tensor<8x112x112x32xf32>, %w: tensor<3x3x1x32xf32>) {
  %0 = tg.conv %x, %w {groups = 32 : i64, padding = "same"} : (tensor<8x112x112x32xf32>, tensor<3x3x1x32xf32>) -> tensor<8x112x112x32xf32>
  tgx.yield %0 : tensor<8x112x112x32xf32>
}

// CHECK-LABEL: .visible .entry gradient(
// CHECK: .shared .align 16
// CHECK: st.shared.b32
// CHECK: bar.sync 0;
// CHECK-COUNT-16: add.rn.f32
// CHECK: bar.sync 0;
// CHECK: fma.rn.f32
// CHECK: ret;
tgx.kernel @gradient contraction(%x: tensor<8x112x112x32xf32>, %g: tensor<8x112x112x32xf32>) {
  %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], groups = 32 : i64, padding = "same", tg.order = #tg.order<blocks = [32, 16]>} : (tensor<8x112x112x32xf32>, tensor<8x112x112x32xf32>) -> tensor<3x3x1x32xf32>
  tgx.yield %0 : tensor<3x3x1x32xf32>
}
