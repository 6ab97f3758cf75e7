// A thread computes one sum of products, and the ops behind it.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch dense: 7 parameters, threads affine_map<() -> (20000)> in blocks of 128

// Blocks of 32 products are chains of fused multiply-adds.

// CHECK-LABEL: .visible .entry dense(
// CHECK: [[NEXT:\$L__BB0_[0-9]+]]:
// CHECK-NEXT: add.rn.f32 [[SUM:%r[0-9]+]], [[SUM]], [[CHAIN:%r[0-9]+]];
// CHECK: setp.gt.s64 {{.*}}, 59;
// CHECK: mov.b32 [[CHAIN]], 0f00000000;
// CHECK: [[PRODUCT:\$L__BB0_[0-9]+]]:
// CHECK: bra [[NEXT]];
// CHECK: ld.global.b32 [[LEFT:%r[0-9]+]]
// CHECK: ld.global.b32 [[RIGHT:%r[0-9]+]]
// CHECK: fma.rn.f32 [[CHAIN]], [[LEFT]], [[RIGHT]], [[CHAIN]];
// CHECK: bra.uni [[PRODUCT]];
// CHECK: add.rn.f32 [[BIASED:%r[0-9]+]], [[SUM]], {{%r[0-9]+}};
// CHECK: setp.le.f32 {{%p[0-9]+}}, [[BIASED]], 0f00000000;
// CHECK: st.global.b32
// CHECK: ret;
tgx.kernel @dense contraction(%x: tensor<1x60xf32>, %w: tensor<60x20000xf32>, %b: tensor<20000xf32>) {
  %0 = tg.matmul %x, %w {tg.order = #tg.order<blocks = [32, 16]>} : (tensor<1x60xf32>, tensor<60x20000xf32>) -> tensor<1x20000xf32>
  %1 = tg.add %0, %b : (tensor<1x20000xf32>, tensor<20000xf32>) -> tensor<1x20000xf32>
  %2 = tg.relu %1 : tensor<1x20000xf32>
  tgx.yield %2 : tensor<1x20000xf32>
}
