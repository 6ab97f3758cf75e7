// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @random_uniform
func.func @random_uniform(%seed: tensor<i64>, %step: tensor<i64>, %n: tensor<i64>) -> tensor<?x100xf32> {
  // CHECK: tg.random_uniform %{{.*}}, %{{.*}}, %{{.*}} {shape = [-1, 100], stream = 3 : i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x100xf32>
  %y = tg.random_uniform %seed, %step, %n {shape = [-1, 100], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x100xf32>
  return %y : tensor<?x100xf32>
}

// CHECK-LABEL: func @random_normal
func.func @random_normal(%seed: tensor<i64>, %step: tensor<i64>) -> (tensor<784x100xf32>, tensor<4xf64>) {
  // CHECK: tg.random_normal %{{.*}}, %{{.*}} {shape = [784, 100], stream = 1 : i64, truncated} : (tensor<i64>, tensor<i64>) -> tensor<784x100xf32>
  %y = tg.random_normal %seed, %step {shape = [784, 100], stream = 1, truncated} : (tensor<i64>, tensor<i64>) -> tensor<784x100xf32>
  // CHECK: tg.random_normal %{{.*}}, %{{.*}} {element_type = f64, shape = [4], stream = 0 : i64} : (tensor<i64>, tensor<i64>) -> tensor<4xf64>
  %z = tg.random_normal %seed, %step {element_type = f64, shape = [4], stream = 0} : (tensor<i64>, tensor<i64>) -> tensor<4xf64>
  return %y, %z : tensor<784x100xf32>, tensor<4xf64>
}
