// A thread computes the positions of a Winograd tile for a column, or the taps
// of a filter's gradient for a channel and a column.
// RUN: emit-ptx %s | FileCheck %s

// An image has 4 x 4 tiles of 2x2 positions.

// CHECK: // launch conv: 8 parameters, threads affine_map<()[s0] -> (s0 * 256)> in blocks of 128
// CHECK: // launch gradient: 7 parameters, threads affine_map<()[s0] -> (512)> in blocks of 128

// A channel adds to 16 sums. The elements of a tile that lies inside of the
// image are not tested.

// CHECK-LABEL: .visible .entry conv(
// CHECK: ld.global.b32 {{%r[0-9]+}}, {{.*}}-2048];
// CHECK-COUNT-15: ld.global.b32
// CHECK-NEXT: $L__BB0_
// CHECK-COUNT-9: ld.global.b32
// CHECK: fma.rn.f32 {{%r[0-9]+}}, {{%r[0-9]+}}, 0f3F000000
// CHECK: fma.rn.f32 [[SUM:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, [[SUM]];
// CHECK-COUNT-15: fma.rn.f32
// CHECK: mov.b32 {{.*}}, 0f00000000;
// CHECK: @{{.*}} bra [[NEXT:\$L__BB0_[0-9]+]];
// CHECK-NEXT: ld.global.b32 {{.*}}-2048];
// CHECK-NEXT: [[NEXT]]:
// CHECK-COUNT-4: st.global.b32
// CHECK: ret;
tgx.kernel @conv contraction[s0](%x: tensor<?x8x8x32xf32> [s0, 8, 8, 32], %w: tensor<3x3x32x16xf32>, %b: tensor<16xf32>) {
  %0 = tg.conv %x, %w {padding = "same", tg.order = #tg.order<winograd = 2>} : (tensor<?x8x8x32xf32>, tensor<3x3x32x16xf32>) -> tensor<?x8x8x16xf32>
  %1 = tg.add %0, %b : (tensor<?x8x8x16xf32>, tensor<16xf32>) -> tensor<?x8x8x16xf32>
  tgx.yield %1 : tensor<?x8x8x16xf32>
}

// A tile adds to 36 sums. The taps of a block of 512 tiles are added to those
// of its group, and those of 16 blocks to the result.

// CHECK-LABEL: .visible .entry gradient(
// CHECK: add.rn.f32 [[TAP:%r[0-9]+]], [[TAP]], [[GROUP:%r[0-9]+]];
// CHECK: add.s{{32|64}} {{.*}}, 8192;
// CHECK: add.rn.f32 [[GROUP]], [[GROUP]], {{%r[0-9]+}};
// CHECK: add.s{{32|64}} {{.*}}, 512;
// CHECK: fma.rn.f32 [[PRODUCT:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, [[PRODUCT]];
// CHECK-COUNT-35: fma.rn.f32
// CHECK-COUNT-9: st.global.b32
// CHECK: ret;
tgx.kernel @gradient contraction[s0](%x: tensor<?x8x8x32xf32> [s0, 8, 8, 32], %g: tensor<?x8x8x16xf32> [s0, 8, 8, 16]) {
  %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same", tg.order = #tg.order<blocks = [512, 16], winograd = 4>} : (tensor<?x8x8x32xf32>, tensor<?x8x8x16xf32>) -> tensor<3x3x32x16xf32>
  tgx.yield %0 : tensor<3x3x32x16xf32>
}
