// A draw is computed from the seed, the step and the number of its element.
// RUN: emit-ptx %s | FileCheck %s

// CHECK-LABEL: .visible .entry dropout(
// CHECK: mul.wide.u32
// CHECK: xor.b
// CHECK: cvt.rn.f32.u32
// CHECK: setp.{{(ge|ltu|lt)}}.f32
// CHECK: div.rn.f32
// CHECK: st.global.b32
// CHECK: ret;
tgx.kernel @dropout loop[s0](%x: tensor<?x100xf32> [s0, 100], %seed: tensor<i64>, %step: tensor<i64>) with(%n = [s0], %rate = dense<0.2> : tensor<f32>, %rest = dense<0.8> : tensor<f32>, %none = dense<0.0> : tensor<f32>) {
  %u = tg.random_uniform %seed, %step, %n {shape = [-1, 100], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x100xf32>
  %keep = tg.compare ge, %u, %rate : (tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xi1>
  %y = tg.div %x, %rest : (tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xf32>
  %z = tg.select %keep, %y, %none : (tensor<?x100xi1>, tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xf32>
  tgx.yield %z : tensor<?x100xf32>
}
