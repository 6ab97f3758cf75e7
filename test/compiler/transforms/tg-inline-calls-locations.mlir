// RUN: tgc-opt %s --tg-inline-calls --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// The location of an inlined op names the callee's line and the call.
// CHECK: tg.neg %{{.*}} loc(callsite("negation"("net.cpp":3:7) at "layer"("net.cpp":9:2)))
func.func @location_names_callee_and_caller(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %y = func.call @negative(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("layer"("net.cpp":9:2))
  return %y : tensor<4xf32>
}

func.func private @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tg.neg %x : tensor<4xf32> loc("negation"("net.cpp":3:7))
  return %y : tensor<4xf32>
}
