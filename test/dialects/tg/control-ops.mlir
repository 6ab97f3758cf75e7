// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @if
func.func @if(%p: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[Y:.*]] = tg.if %{{.*}} : (tensor<i1>) -> tensor<f32> {
  // CHECK-NEXT: %[[S:.*]] = tg.add
  // CHECK-NEXT: tg.yield %[[S]] : tensor<f32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[M:.*]] = tg.mul
  // CHECK-NEXT: tg.yield %[[M]] : tensor<f32>
  // CHECK-NEXT: }
  %y = tg.if %p : (tensor<i1>) -> tensor<f32> {
    %s = tg.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %s : tensor<f32>
  } else {
    %m = tg.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %m : tensor<f32>
  }
  // CHECK: return %[[Y]]
  return %y : tensor<f32>
}

// An empty yield is not printed.

// CHECK-LABEL: func @if_empty
func.func @if_empty(%p: tensor<i1>) {
  // CHECK: tg.if %{{.*}} : (tensor<i1>) -> () {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  tg.if %p : (tensor<i1>) -> () {
  } else {
  }
  return
}

// CHECK-LABEL: func @while
func.func @while(%n: tensor<i32>, %i0: tensor<i32>, %x0: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: tg.while inits(%{{.*}}, %{{.*}}) {max_trip = 100 : i64} : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) cond {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %{{.*}}: tensor<?xf32>):
  // CHECK-NEXT: %[[P:.*]] = tg.compare lt, %[[I]]
  // CHECK-NEXT: tg.yield %[[P]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[J:.*]]: tensor<i32>, %[[V:.*]]: tensor<?xf32>):
  // CHECK-NEXT: %[[U:.*]] = tg.tanh %[[V]]
  // CHECK-NEXT: tg.yield %[[J]], %[[U]] : tensor<i32>, tensor<?xf32>
  // CHECK-NEXT: }
  %i, %x = tg.while inits(%i0, %x0) {max_trip = 100} : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) cond {
  ^bb0(%k: tensor<i32>, %v: tensor<?xf32>):
    %more = tg.compare lt, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%k: tensor<i32>, %v: tensor<?xf32>):
    %u = tg.tanh %v : tensor<?xf32>
    tg.yield %k, %u : tensor<i32>, tensor<?xf32>
  }
  return %x : tensor<?xf32>
}

// CHECK-LABEL: func @scan
func.func @scan(%s: tensor<5xf32>, %xs: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: tg.scan inits(%{{.*}}) inputs(%{{.*}}) {reverse, segments = 4 : i64} : (tensor<5xf32>, tensor<?x5xf32>) -> (tensor<5xf32>, tensor<?x5xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<5xf32>, %{{.*}}: tensor<5xf32>):
  // CHECK: tg.yield %{{.*}}, %{{.*}} : tensor<5xf32>, tensor<5xf32>
  %sum, %sums = tg.scan inits(%s) inputs(%xs) {reverse, segments = 4} : (tensor<5xf32>, tensor<?x5xf32>) -> (tensor<5xf32>, tensor<?x5xf32>) {
  ^bb0(%acc: tensor<5xf32>, %item: tensor<5xf32>):
    %next = tg.add %acc, %item : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    tg.yield %next, %next : tensor<5xf32>, tensor<5xf32>
  }
  return %sums : tensor<?x5xf32>
}

// CHECK-LABEL: func @scan_length
func.func @scan_length(%s: tensor<f32>) -> tensor<3xf32> {
  // CHECK: tg.scan {length = 3 : i64} : () -> tensor<3xf32> {
  %all = tg.scan {length = 3} : () -> tensor<3xf32> {
    tg.yield %s : tensor<f32>
  }
  return %all : tensor<3xf32>
}
