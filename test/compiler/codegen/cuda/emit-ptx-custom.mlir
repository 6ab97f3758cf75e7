// Kernels of one op with an emitter of its own.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch sums: {{.*}} threads affine_map<()[s0] -> (s0)>

// Sums within a step of 16 elements, and a carried sum of f64.

// CHECK-LABEL: .visible .entry sums(
// CHECK-COUNT-16: ld.global.b32
// CHECK: add.rn.f32
// CHECK: cvt.rn.f32.f64
// CHECK: st.global.b32
// CHECK: add.rn.f64
// CHECK: ret;
tgx.kernel @sums custom[s0](%x: tensor<?x64xf32> [s0, 64]) {
  %0 = tg.cumsum %x {axis = 1 : i64} : tensor<?x64xf32>
  tgx.yield %0 : tensor<?x64xf32>
}
