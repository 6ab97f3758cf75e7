// Products of tensor cores, which a plan allows by its precision.
// RUN: emit-ptx %s | FileCheck %s

// CHECK-LABEL: .visible .entry gemm(
// CHECK: .shared .align 16
// CHECK: cvt.rna.tf32.f32
// CHECK: bar.sync 0;
// CHECK: ld.global.v4.b32
// CHECK-COUNT-16: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK-NOT: mma.sync
// CHECK-NOT: fma.rn.f32
// CHECK: cvt.rna.tf32.f32
// CHECK: bar.sync 0;
// CHECK: st.global.v4.b32

// Numbers of f64 are not rounded.
// CHECK-LABEL: .visible .entry double(
// CHECK-NOT: mma.sync
// CHECK: fma.rn.f64

// CHECK-LABEL: .visible .entry exact(
// CHECK-NOT: mma.sync
// CHECK: fma.rn.f32
module {
  module @rounded attributes {tgx.target = #tgx.target<kind = "cuda", optimization = 2, properties = {precision = "tf32"}>} {
    tgx.kernel @gemm contraction(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
      %0 = tg.matmul %a, %b : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      tgx.yield %0 : tensor<1024x1024xf32>
    }
    tgx.kernel @double contraction(%a: tensor<64x64xf64>, %b: tensor<64x64xf64>) {
      %0 = tg.matmul %a, %b : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
      tgx.yield %0 : tensor<64x64xf64>
    }
  }
  module @plain attributes {tgx.target = #tgx.target<kind = "cuda", optimization = 2>} {
    tgx.kernel @exact contraction(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) {
      %0 = tg.matmul %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      tgx.yield %0 : tensor<64x64xf32>
    }
  }
}
