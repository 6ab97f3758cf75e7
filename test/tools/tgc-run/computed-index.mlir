// The error message shows an index that the checking kernel computes itself.
// RUN: tgc %s -o %t.so
// RUN: tgc-run %t.so lookup --input k=1 --output y=%t.npy
// RUN: not tgc-run %t.so lookup --input k=7 --output y=%t.npy 2>&1 | FileCheck %s --check-prefix=HIGH
// HIGH: TG_ERROR_INDEX: {{.*}}computed-index.mlir:[[#@LINE+17]]:10: tg.gather: index 10 at element 3 is out of range, expected at least 0 and below 10 [R1]
// RUN: not tgc-run %t.so lookup --input k=-2 --threads 2 --output y=%t.npy 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: index -2 at element 0 is out of range, expected at least 0 and below 10 [R1]
// RUN: not tgc-run %t.so rows --input k=20000 --threads 2 --output y=%t.npy 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: index 50000 at element 30000 is out of range, expected at least 0 and below 50000 [R1]

// One element, and more than a tile of full vectors.
// RUN: tgc %s -O0 -o %t.so
// RUN: not tgc-run %t.so rows --input k=20000 --output y=%t.npy 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: tgc %s -O1 -o %t.so
// RUN: not tgc-run %t.so rows --input k=20000 --threads 2 --output y=%t.npy 2>&1 | FileCheck %s --check-prefix=ROWS
module @computed {
  func.func @lookup(%k: tensor<i32> {tg.name = "k"}) -> (tensor<6x3xf32> {tg.name = "y"}) {
    %x = tg.constant dense<1.0> : tensor<10x3xf32>
    %table = tg.exp %x : tensor<10x3xf32>
    %i = tg.iota {axis = 0, element_type = i32, shape = [6]} : () -> tensor<6xi32>
    %j = tg.add %i, %k : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %y = tg.gather %table, %j : (tensor<10x3xf32>, tensor<6xi32>) -> tensor<6x3xf32>
    return %y : tensor<6x3xf32>
  }

  func.func @rows(%k: tensor<i64> {tg.name = "k"}) -> (tensor<40000xf32> {tg.name = "y"}) {
    %x = tg.iota {axis = 0, element_type = f32, shape = [50000]} : () -> tensor<50000xf32>
    %i = tg.iota {axis = 0, shape = [40000]} : () -> tensor<40000xi64>
    %j = tg.add %i, %k : (tensor<40000xi64>, tensor<i64>) -> tensor<40000xi64>
    %y = tg.gather %x, %j : (tensor<50000xf32>, tensor<40000xi64>) -> tensor<40000xf32>
    return %y : tensor<40000xf32>
  }
}
