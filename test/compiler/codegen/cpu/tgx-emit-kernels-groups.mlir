// A depthwise convolution: the lanes are channels, seven positions of a line
// are computed together, and a loop runs over the filter rows. Each element of
// a line contributes to up to three positions: 7 are loaded for 19 products.
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s

// CHECK-LABEL: func.func @depthwise(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-NOT: scf.if
// CHECK-COUNT-10: llvm.load {{.*}} vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK: scf.yield
// CHECK-COUNT-7: llvm.store
// CHECK-LABEL: func.func @depthwise.tiles(
tgx.kernel @depthwise contraction(%x: tensor<2x9x7x32xf32>, %w: tensor<3x3x1x32xf32>) {
  %p = tg.conv %x, %w {groups = 32, padding = "same"} : (tensor<2x9x7x32xf32>, tensor<3x3x1x32xf32>) -> tensor<2x9x7x32xf32>
  %y = tg.relu %p : tensor<2x9x7x32xf32>
  tgx.yield %y : tensor<2x9x7x32xf32>
}

// The filter gradient: the sums of nine taps, two for each, stay in registers
// over all lines.
// CHECK-LABEL: func.func @filter(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<16xf32>, )+}}vector<16xf32>)
// CHECK-COUNT-19: llvm.intr.fmuladd
// CHECK-LABEL: func.func @filter.tiles(
tgx.kernel @filter contraction(%x: tensor<2x9x7x32xf32>, %g: tensor<2x9x7x32xf32>) {
  %w = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], groups = 32, padding = "same"} : (tensor<2x9x7x32xf32>, tensor<2x9x7x32xf32>) -> tensor<3x3x1x32xf32>
  tgx.yield %w : tensor<3x3x1x32xf32>
}
