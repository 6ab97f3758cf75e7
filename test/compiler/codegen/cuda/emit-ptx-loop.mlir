// Elementwise kernels as PTX. Every operation rounds on its own.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch affine: 6 parameters, threads affine_map<()[s0] -> (s0 ceildiv 4)> in blocks of 128
// CHECK: // launch adam: 10 parameters, threads affine_map<() -> (250)> in blocks of 128

// CHECK: .version 7.0
// CHECK: .target sm_80
// CHECK: .address_size 64

// CHECK-LABEL: .visible .entry affine(
// CHECK-COUNT-6: .param .u64 affine_param_
// CHECK: .maxntid 128
// CHECK-DAG: mov.u32 {{.*}}, %ctaid.x;
// CHECK-DAG: mov.u32 {{.*}}, %tid.x;
// CHECK-DAG: setp.ge.s64
// CHECK-DAG: ld.global.b64
// CHECK-DAG: setp.lt.s64
// CHECK: @%p{{[0-9]+}} bra
// CHECK: ld.global.v4.b32
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK-NOT: fma
// CHECK: st.global.v4.b32
// CHECK: ret;
// CHECK-NOT: fma
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK: bra.uni
tgx.kernel @affine loop[s0](%x: tensor<?xf32> [s0]) with(%a = dense<3.0> : tensor<f32>, %b = dense<0.1> : tensor<f32>) {
  %0 = tg.mul %x, %a : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = tg.add %0, %b : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  tgx.yield %1 : tensor<?xf32>
}

// An update in place loads before it stores.

// CHECK-LABEL: .visible .entry adam(
// CHECK: ld.global.b64
// CHECK-COUNT-4: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: div.rn.f32
// CHECK-COUNT-3: st.global.v4.b32
// CHECK: ret;
tgx.kernel @adam loop(%w: tensor<1000xf32>, %m: tensor<1000xf32>, %v: tensor<1000xf32>, %g: tensor<1000xf32>) with(%b1 = dense<0.9> : tensor<f32>, %r1 = dense<0.1> : tensor<f32>, %b2 = dense<0.999> : tensor<f32>, %r2 = dense<0.001> : tensor<f32>, %e = dense<1.0e-8> : tensor<f32>) {
  %m1 = tg.mul %m, %b1 : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %m2 = tg.mul %g, %r1 : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %m3 = tg.add %m1, %m2 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %v1 = tg.mul %v, %b2 : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %v2 = tg.mul %g, %g : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %v3 = tg.mul %v2, %r2 : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %v4 = tg.add %v1, %v3 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %d0 = tg.sqrt %v4 : tensor<1000xf32>
  %d1 = tg.add %d0, %e : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %d2 = tg.div %m3, %d1 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  %w1 = tg.sub %w, %d2 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  tgx.yield %w1, %m3, %v4 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
}
