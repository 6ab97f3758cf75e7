// NaN is printed without a sign, whatever its bits are.

// RUN: tgc %s -o %t.so --target-cpu=native
// RUN: tgc-run %t.so f --input x=0 2>&1 | FileCheck %s
// CHECK-DAG: quotient: f32 nan
// CHECK-DAG: both: f32[2] [nan, nan]
// CHECK-DAG: y = nan
// CHECK-NOT: -nan

func.func @f(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %y = tg.div %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  tg.print "quotient", %y : tensor<f32>
  %both = tg.broadcast_to %y {shape = [2]} : (tensor<f32>) -> tensor<2xf32>
  tg.print "both", %both : tensor<2xf32>
  return %y : tensor<f32>
}
