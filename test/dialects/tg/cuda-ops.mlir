// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @cuda_call
func.func @cuda_call(%x: tensor<?xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  // CHECK: tg.cuda_call "fc1/relu"(%{{.*}}) sizes(%{{.*}}) kernel <cuda = "a\0Ab"> : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
  %y = tg.cuda_call "fc1/relu"(%x) sizes(%n) kernel <cuda = "a\nb"> : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @cuda_call_of_many
func.func @cuda_call_of_many(%p: tensor<i1>) -> (tensor<4xi1>, tensor<2xf64>) {
  // CHECK: tg.cuda_call "f"(%{{.*}}) kernel <ptx = "code", entry = "k", block = [8, 4, 2], grid = [3, 2], shared_bytes = 64> : (tensor<i1>) -> (tensor<4xi1>, tensor<2xf64>)
  %a, %b = tg.cuda_call "f"(%p) kernel <ptx = "code", entry = "k", block = [8, 4, 2], grid = [3, 2], shared_bytes = 64> : (tensor<i1>) -> (tensor<4xi1>, tensor<2xf64>)
  return %a, %b : tensor<4xi1>, tensor<2xf64>
}

// CHECK-LABEL: func @cuda_call_of_nothing
func.func @cuda_call_of_nothing() -> tensor<4xf32> {
  // CHECK: tg.cuda_call "f"() kernel <ptx = "code", elements_per_block = 2> : () -> tensor<4xf32>
  %a = tg.cuda_call "f"() kernel <ptx = "code", elements_per_block = 2> : () -> tensor<4xf32>
  return %a : tensor<4xf32>
}
