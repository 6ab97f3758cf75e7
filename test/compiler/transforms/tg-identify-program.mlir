// The identity of a program does not depend on locations, and changes with an
// attribute of an op.
// RUN: tgc-opt %s --tg-identify-program | FileCheck %s
// RUN: tgc-opt %s --tg-identify-program | grep -o 'tg.program = "[0-9a-f]*"' > %t.same
// RUN: sed '1d' %s | tgc-opt --tg-identify-program | grep -o 'tg.program = "[0-9a-f]*"' | diff %t.same -
// RUN: tgc-opt %s --tg-identify-program --mlir-print-debuginfo | grep -o 'tg.program = "[0-9a-f]*"' | diff %t.same -
// RUN: sed 's/2.5/2.25/' %s | tgc-opt --tg-identify-program | grep -o 'tg.program = "[0-9a-f]*"' | not diff %t.same - > %t.diff

// CHECK: module attributes {tg.program = "{{[0-9a-f]+}}"}
func.func @scale(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %c = tg.constant dense<2.5> : tensor<f32>
  %y = tg.mul %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
