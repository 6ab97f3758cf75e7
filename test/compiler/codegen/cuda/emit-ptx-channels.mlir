// A thread of a pooling computes neighbouring channels, which it loads and
// stores by one instruction.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch max: {{.*}} threads affine_map<() -> (256)> in blocks of 128
// CHECK: // launch narrow: {{.*}} threads affine_map<()[s0] -> (s0 * 80)> in blocks of 128
// CHECK: // launch odd: {{.*}} threads affine_map<() -> (448)> in blocks of 128
// CHECK: // launch pasted: {{.*}} threads affine_map<() -> (2048)> in blocks of 128

// CHECK-LABEL: .visible .entry max(
// CHECK-COUNT-4: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK: st.global.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @max loop(%x: tensor<1x16x16x16xf32>) attributes {alignments = array<i64: 64, 64, 64>} {
  %0, %1 = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<1x16x16x16xf32>) -> (tensor<1x8x8x16xf32>, tensor<1x8x8x16xui8>)
  tgx.yield %0, %1 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xui8>
}

// Windows inside of the image have code without loops. Tensors that are not
// aligned are computed one element after the other.

// CHECK-LABEL: .visible .entry narrow(
// CHECK-DAG: ld.global.b32
// CHECK-COUNT-9: ld.global.v2.b32
// CHECK: st.global.v2.b32
// CHECK: ret;
tgx.kernel @narrow loop[s0](%x: tensor<?x8x8x10xf32> [s0, 8, 8, 10]) {
  %0 = tg.avg_pool %x {strides = [2, 2], window = [3, 3], padding = "same"} : (tensor<?x8x8x10xf32>) -> tensor<?x4x4x10xf32>
  tgx.yield %0 : tensor<?x4x4x10xf32>
}

// CHECK-LABEL: .visible .entry odd(
// CHECK-NOT: .v2
// CHECK: ret;
tgx.kernel @odd loop(%x: tensor<1x16x16x7xf32>) {
  %0 = tg.avg_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<1x16x16x7xf32>) -> tensor<1x8x8x7xf32>
  tgx.yield %0 : tensor<1x8x8x7xf32>
}

// Neighbours of the result that may not be neighbours of the operand are single
// elements.

// CHECK-LABEL: .visible .entry pasted(
// CHECK-NOT: .v4
// CHECK: ret;
tgx.kernel @pasted loop(%x: tensor<256x5xf32>) with(%zero = dense<0.0> : tensor<f32>) {
  %0 = tg.pad %x, %zero {low = [0, 2], high = [0, 1]} : (tensor<256x5xf32>, tensor<f32>) -> tensor<256x8xf32>
  tgx.yield %0 : tensor<256x8xf32>
}

// The rows of a part of a wider tensor may begin between vectors.

// CHECK-LABEL: .visible .entry part(
// CHECK-NOT: .v2
// CHECK: ret;
tgx.kernel @part loop(%x: tensor<16x8xf32>) attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 71>]} {
  %0 = tg.reverse %x {axes = [0]} : tensor<16x8xf32>
  tgx.yield %0 : tensor<16x8xf32>
}

// CHECK-LABEL: .visible .entry wide_part(
// CHECK: st.global.v4.b32
tgx.kernel @wide_part loop(%x: tensor<16x8xf32>) attributes {output_rows = [#tgx.rows<axis = 1, row_stride = 72>]} {
  %0 = tg.reverse %x {axes = [0]} : tensor<16x8xf32>
  tgx.yield %0 : tensor<16x8xf32>
}
