// RUN: tgc-opt %s --tg-inline-calls | FileCheck %s
// RUN: tgc-opt %s --tg-inline-calls --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// STATISTICS: InlineCalls
// STATISTICS-NEXT: (S) 6 calls-inlined - Number of calls replaced
// STATISTICS-NEXT: (S) 2 functions-removed - Number of private functions removed

// CHECK-NOT: private
// CHECK-LABEL: func.func @nested_call_becomes_ops
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>
// CHECK: %[[ONCE:.*]] = tg.neg %[[X]]
// CHECK: %[[TWICE:.*]] = tg.relu %[[ONCE]]
// CHECK: %[[AGAIN:.*]] = tg.neg %[[TWICE]]
// CHECK: return %[[AGAIN]]
func.func @nested_call_becomes_ops(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %twice = func.call @relu_of_negative(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = func.call @negative(%twice) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func private @relu_of_negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = func.call @negative(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = tg.relu %n : tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func private @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tg.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @calls_in_regions
// CHECK: tg.scan
// CHECK: ^bb0(%[[V:.*]]: tensor<4xf32>
// CHECK: tg.if
// CHECK: %[[N:.*]] = tg.neg %[[V]]
// CHECK: tg.relu %[[N]]
// CHECK: else
// CHECK: tg.neg %[[V]]
// CHECK-NOT: call
func.func @calls_in_regions(%x: tensor<3x4xf32> {tg.name = "x"}, %c: tensor<i1> {tg.name = "c"}) -> (tensor<3x4xf32> {tg.name = "y"}) {
  %y = tg.scan inputs(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%v: tensor<4xf32>):
    %u = tg.if %c : (tensor<i1>) -> tensor<4xf32> {
      %p = func.call @relu_of_negative(%v) : (tensor<4xf32>) -> tensor<4xf32>
      tg.yield %p : tensor<4xf32>
    } else {
      %n = func.call @negative(%v) : (tensor<4xf32>) -> tensor<4xf32>
      tg.yield %n : tensor<4xf32>
    }
    tg.yield %u : tensor<4xf32>
  }
  return %y : tensor<3x4xf32>
}
