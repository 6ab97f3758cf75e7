// RUN: tgc-opt %s --split-input-file --tg-create-plans | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: tgc-opt %s --split-input-file --tg-create-plans="kinds=cpu,test optimization=1" | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: tgc-opt %s --split-input-file --tg-create-plans="precision=tf32" | FileCheck %s --check-prefix=TF32

// TF32: module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2, properties = {precision = "tf32"}>} {

// The program moves into the module of its plan, and the outer module keeps its
// name and attributes. Each plan has all of the program.

// CHECK: module @net attributes {tg.program = "0a"} {
// ONE-NEXT: module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {
// TWO-NEXT: module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 1>} {
// CHECK-NEXT: tg.variable @w
// CHECK-NEXT: func.func @f
// CHECK: tg.read @w
// ONE-NOT: module
// TWO: module @test attributes {tgx.target = #tgx.target<kind = "test", optimization = 1>} {
// TWO-NEXT: tg.variable @w
// TWO-NEXT: func.func @f
module @net attributes {tg.program = "0a"} {
  tg.variable @w : tensor<4xf32>
  func.func @f() -> (tensor<4xf32> {tg.name = "y"}) {
    %w = tg.read @w : tensor<4xf32>
    return %w : tensor<4xf32>
  }
}

// -----

// A program without functions has an empty plan.

// CHECK: module {
// CHECK-NEXT: module @cpu
module {}
