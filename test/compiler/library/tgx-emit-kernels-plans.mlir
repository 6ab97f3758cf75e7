// The kernels of a plan are emitted in its module. Other plans are removed.
// RUN: tgc-opt %s --tgx-emit-kernels | FileCheck %s --check-prefix=CPU --implicit-check-not=tgx.kernel --implicit-check-not=@cuda
// RUN: tgc-opt %s --tgx-emit-kernels="kind=cuda level=16" | FileCheck %s --check-prefix=CUDA --implicit-check-not=tgx.kernel --implicit-check-not=@cpu

// CPU: module @cpu
// CPU: func.func @double(
// CPU: func.func @double.tiles(
// CUDA: module @cuda
// CUDA: func.func @double(
// CUDA-NOT: func.func
module @net {
  module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {
    tg.variable @w : tensor<4xf32>
    tgx.kernel @double loop(%x: tensor<4xf32>) {
      %y = tg.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      tgx.yield %y : tensor<4xf32>
    }
  }
  module @cuda attributes {tgx.target = #tgx.target<kind = "cuda", optimization = 2>} {
    tgx.kernel @double loop(%x: tensor<4xf32>) {
      %y = tg.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      tgx.yield %y : tensor<4xf32>
    }
  }
}
