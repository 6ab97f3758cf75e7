
// RUN: not tgc %s -o %t.so 2>&1 | FileCheck %s
// A wrong type of a result is reported at its op, not at its use, even if the
// first line is empty.

// CHECK: empty-first-line.mlir:[[#@LINE+3]]:{{.*}}error: {{.*}}[G2]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %w: tensor<4x5xf32> {tg.name = "w"})
    -> (tensor<3x5xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %w : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x7xf32>
  %z = tg.relu %y : tensor<3x5xf32>
  return %z : tensor<3x5xf32>
}
