// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @conv
func.func @conv(%x: tensor<?x32x31x3xf32>, %w: tensor<3x2x3x16xf32>) {
  // CHECK: tg.conv %{{.*}}, %{{.*}} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x30x30x16xf32>
  %a = tg.conv %x, %w : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x30x30x16xf32>
  // CHECK: tg.conv %{{.*}}, %{{.*}} {padding = "same", strides = [2, 2]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x16x16x16xf32>
  %b = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x16x16x16xf32>
  // CHECK: tg.conv %{{.*}}, %{{.*}} {dilations = [2, 1], padding = "explicit", pads = [1, 0, 2, 3]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x29x35x16xf32>
  %c = tg.conv %x, %w {dilations = [2, 1], padding = "explicit", pads = [1, 0, 2, 3]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x29x35x16xf32>
  // Lists are printed if given, even with default values; scalars and strings
  // with default values are not.
  // CHECK: tg.conv %{{.*}}, %{{.*}} {dilations = [1, 1], strides = [1, 1]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x30x30x16xf32>
  %d = tg.conv %x, %w {dilations = [1, 1], groups = 1, padding = "valid", strides = [1, 1]} : (tensor<?x32x31x3xf32>, tensor<3x2x3x16xf32>) -> tensor<?x30x30x16xf32>
  return
}

// CHECK-LABEL: func @dimensions
func.func @dimensions(%x: tensor<2x?x4xf64>, %w: tensor<3x2x6xf64>, %u: tensor<?x4x5x6x2xf64>, %v: tensor<2x3x1x2x8xf64>) {
  // CHECK: tg.conv %{{.*}}, %{{.*}} {groups = 2 : i64, padding = "same"} : (tensor<2x?x4xf64>, tensor<3x2x6xf64>) -> tensor<2x?x6xf64>
  %a = tg.conv %x, %w {groups = 2, padding = "same"} : (tensor<2x?x4xf64>, tensor<3x2x6xf64>) -> tensor<2x?x6xf64>
  // CHECK: tg.conv %{{.*}}, %{{.*}} {strides = [1, 1, 3]} : (tensor<?x4x5x6x2xf64>, tensor<2x3x1x2x8xf64>) -> tensor<?x3x3x2x8xf64>
  %b = tg.conv %u, %v {strides = [1, 1, 3]} : (tensor<?x4x5x6x2xf64>, tensor<2x3x1x2x8xf64>) -> tensor<?x3x3x2x8xf64>
  return
}

// CHECK-LABEL: func @conv_transpose
func.func @conv_transpose(%y: tensor<?x16x?x16xf32>, %w: tensor<3x3x3x16xf32>, %n: tensor<i64>) {
  // CHECK: tg.conv_transpose %{{.*}}, %{{.*}} {output_sizes = [31, 40], padding = "same", strides = [2, 2]} : (tensor<?x16x?x16xf32>, tensor<3x3x3x16xf32>) -> tensor<?x31x40x3xf32>
  %a = tg.conv_transpose %y, %w {output_sizes = [31, 40], padding = "same", strides = [2, 2]} : (tensor<?x16x?x16xf32>, tensor<3x3x3x16xf32>) -> tensor<?x31x40x3xf32>
  // CHECK: tg.conv_transpose %{{.*}}, %{{.*}}, %{{.*}} {groups = 2 : i64, output_sizes = [18, -1]} : (tensor<?x16x?x16xf32>, tensor<3x3x3x16xf32>, tensor<i64>) -> tensor<?x18x?x6xf32>
  %b = tg.conv_transpose %y, %w, %n {groups = 2, output_sizes = [18, -1]} : (tensor<?x16x?x16xf32>, tensor<3x3x3x16xf32>, tensor<i64>) -> tensor<?x18x?x6xf32>
  return
}

// CHECK-LABEL: func @conv_filter_grad
func.func @conv_filter_grad(%x: tensor<?x32x32x4xf32>, %g: tensor<8x16x16x16xf32>) {
  // CHECK: tg.conv_filter_grad %{{.*}}, %{{.*}} {filter_sizes = [3, 2], groups = 4 : i64, padding = "same", strides = [2, 2]} : (tensor<?x32x32x4xf32>, tensor<8x16x16x16xf32>) -> tensor<3x2x1x16xf32>
  %w = tg.conv_filter_grad %x, %g {filter_sizes = [3, 2], groups = 4, padding = "same", strides = [2, 2]} : (tensor<?x32x32x4xf32>, tensor<8x16x16x16xf32>) -> tensor<3x2x1x16xf32>
  return
}
