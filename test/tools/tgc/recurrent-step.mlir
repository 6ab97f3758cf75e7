// RUN: tgc %s --stop-after=schedule | FileCheck %s

// A step of a recurrent network is two launches, the product and its consumers,
// and a copy of the state that is both carried and stacked. The product with
// the inputs of all steps is before the loop.

// CHECK-LABEL: tgx.function @gru
// CHECK: tgx.launch @matmul_add
// CHECK: tgx.for
// CHECK-NEXT: tgx.element
// CHECK-NEXT: tgx.element
// CHECK-NEXT: tgx.launch @matmul
// CHECK-NEXT: tgx.launch @{{.*}}sigmoid
// CHECK-NEXT: tgx.copy
// CHECK-NEXT: }
func.func @gru(%x: tensor<7x?x24xf32> {tg.dims = ["", "rows", ""], tg.name = "x"}, %w: tensor<24x120xf32> {tg.name = "w"}, %u: tensor<40x120xf32> {tg.name = "u"}, %b: tensor<120xf32> {tg.name = "b"}, %c: tensor<40xf32> {tg.name = "c"}, %h: tensor<?x40xf32> {tg.dims = ["rows", ""], tg.name = "h"}) -> (tensor<7x?x40xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<7x?x24xf32>, tensor<24x120xf32>) -> tensor<7x?x120xf32>
  %1 = tg.add %0, %b : (tensor<7x?x120xf32>, tensor<120xf32>) -> tensor<7x?x120xf32>
  %last, %y = tg.scan inits(%h) inputs(%1) : (tensor<?x40xf32>, tensor<7x?x120xf32>) -> (tensor<?x40xf32>, tensor<7x?x40xf32>) {
  ^bb0(%state: tensor<?x40xf32>, %row: tensor<?x120xf32>):
    %2 = tg.matmul %state, %u : (tensor<?x40xf32>, tensor<40x120xf32>) -> tensor<?x120xf32>
    %3 = tg.slice %row {sizes = [-1, 40], starts = [0, 0]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %4 = tg.slice %row {sizes = [-1, 40], starts = [0, 40]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %5 = tg.slice %row {sizes = [-1, 40], starts = [0, 80]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %6 = tg.slice %2 {sizes = [-1, 40], starts = [0, 0]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %7 = tg.slice %2 {sizes = [-1, 40], starts = [0, 40]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %8 = tg.slice %2 {sizes = [-1, 40], starts = [0, 80]} : (tensor<?x120xf32>) -> tensor<?x40xf32>
    %9 = tg.add %3, %6 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %reset = tg.sigmoid %9 : tensor<?x40xf32>
    %10 = tg.add %4, %7 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %keep = tg.sigmoid %10 : tensor<?x40xf32>
    %11 = tg.add %8, %c : (tensor<?x40xf32>, tensor<40xf32>) -> tensor<?x40xf32>
    %12 = tg.mul %reset, %11 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %13 = tg.add %5, %12 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %candidate = tg.tanh %13 : tensor<?x40xf32>
    %14 = tg.sub %state, %candidate : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %15 = tg.mul %keep, %14 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    %16 = tg.add %candidate, %15 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
    tg.yield %16, %16 : tensor<?x40xf32>, tensor<?x40xf32>
  }
  return %y : tensor<7x?x40xf32>
}
