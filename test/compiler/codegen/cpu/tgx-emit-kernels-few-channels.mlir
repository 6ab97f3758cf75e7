// A convolution with few output channels: the lanes of a vector are positions
// of a line, and one filter element is multiplied by several vectors. Lines are
// copied channel by channel on first use.
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s

// CHECK-LABEL: func.func @to_one(
// CHECK: arith.cmpi ne
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK-COUNT-4: llvm.intr.fmuladd
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK-LABEL: func.func @to_one.tiles(
tgx.kernel @to_one contraction(%x: tensor<2x9x64x5xf32>, %w: tensor<3x3x5x1xf32>) {
  %p = tg.conv %x, %w {padding = "same"} : (tensor<2x9x64x5xf32>, tensor<3x3x5x1xf32>) -> tensor<2x9x64x1xf32>
  %y = tg.relu %p : tensor<2x9x64x1xf32>
  tgx.yield %y : tensor<2x9x64x1xf32>
}

// The same convolution with weights that are packed ahead.
// CHECK-LABEL: func.func @packed(
// CHECK-COUNT-4: llvm.intr.fmuladd{{.*}} : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-LABEL: func.func @packed.tiles(
tgx.kernel @packed contraction(%x: tensor<2x9x64x5xf32>, %panels: tensor<1x45x64xf32>) {
  %w = tgx.unpack %panels as(#cpu.panels<axis = 3, width = 64>) : (tensor<1x45x64xf32>) -> tensor<3x3x5x1xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<2x9x64x5xf32>, tensor<3x3x5x1xf32>) -> tensor<2x9x64x1xf32>
  tgx.yield %y : tensor<2x9x64x1xf32>
}

// The filter gradient: the lanes are channels of the lhs, and the vectors share
// the broadcast elements of the other operand.
// CHECK-LABEL: func.func @filter(
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK: llvm.intr.fmuladd{{.*}} : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-LABEL: func.func @filter.tiles(
tgx.kernel @filter contraction(%x: tensor<2x9x64x32xf32>, %g: tensor<2x9x64x1xf32>) {
  %w = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same"} : (tensor<2x9x64x32xf32>, tensor<2x9x64x1xf32>) -> tensor<3x3x32x1xf32>
  tgx.yield %w : tensor<3x3x32x1xf32>
}
