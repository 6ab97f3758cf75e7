// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders,tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders{conv-algorithm=winograd},tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s --check-prefixes=CHECK,FORCED
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders{conv-algorithm=direct},tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s --check-prefix=DIRECT
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s --check-prefix=DIRECT

// Without the option no filter is transformed.

// DIRECT-NOT: winograd

// A 3x3 filter over large images is transformed ahead.

// CHECK-LABEL: func.func @large
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<36x2x32x64xf32>
// CHECK: tgx.call @[[CONV:[a-z0-9_]+]](%{{.*}}, %[[PANELS]])
// CHECK: tgx.kernel @[[PACK]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 64, winograd = 4>) : (tensor<3x3x32x80xf32>) -> tensor<36x2x32x64xf32>
// CHECK: tgx.kernel @[[CONV]] contraction{{.*}} attributes {algorithm = "winograd"}
// CHECK: %[[FILTER:[a-z0-9_]+]] = tgx.unpack %{{.*}} as(#cpu.panels<axis = 3, width = 64, winograd = 4>)
// CHECK: tg.conv %{{.*}}, %[[FILTER]]
tg.variable @w : tensor<3x3x32x80xf32>
func.func @large(%x: tensor<?x14x20x32xf32> {tg.name = "x"}) -> (tensor<?x14x20x80xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<3x3x32x80xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x14x20x32xf32>, tensor<3x3x32x80xf32>) -> tensor<?x14x20x80xf32>
  return %y : tensor<?x14x20x80xf32>
}

// -----

// Small images, which an unknown batch may consist of, and few channels would
// not run faster. Panels are not wider than the filter has columns.

// CHECK-LABEL: func.func @small
// AUTO-NOT: winograd
// FORCED: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 32, winograd = 2>)
// FORCED: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 16, winograd = 4>)
tg.variable @w : tensor<3x3x32x32xf32>
tg.variable @v : tensor<3x3x32x16xf32>
func.func @small(%x: tensor<?x7x10x32xf32> {tg.name = "x"}, %z: tensor<?x64x64x32xf32> {tg.name = "z"}) -> (tensor<?x7x10x32xf32> {tg.name = "y"}, tensor<?x64x64x16xf32> {tg.name = "u"}) {
  %w = tg.read @w : tensor<3x3x32x32xf32>
  %v = tg.read @v : tensor<3x3x32x16xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x7x10x32xf32>, tensor<3x3x32x32xf32>) -> tensor<?x7x10x32xf32>
  %u = tg.conv %z, %v {padding = "same"} : (tensor<?x64x64x32xf32>, tensor<3x3x32x16xf32>) -> tensor<?x64x64x16xf32>
  return %y, %u : tensor<?x7x10x32xf32>, tensor<?x64x64x16xf32>
}

// -----

// A training step on large images transforms each form of the filter before its
// first use; the assign follows.

// CHECK-LABEL: func.func @train
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<36x1x32x64xf32>
// CHECK-NEXT: %[[Y:[a-z0-9_]+]] = tgx.call @[[CONV:[a-z0-9_]+]](%{{.*}}, %[[PANELS]])
// CHECK: %[[TURNED:[a-z0-9_]+]] = tgx.call @[[TURN:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<36x1x48x32xf32>
// CHECK-NEXT: tgx.call @[[ADJOINT:[a-z0-9_]+]](%[[Y]], %[[TURNED]])
// CHECK: tgx.kernel @[[PACK]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 64, winograd = 4>) : (tensor<3x3x32x48xf32>) -> tensor<36x1x32x64xf32>
// CHECK: tgx.kernel @[[TURN]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 2, width = 32, winograd = 4>) : (tensor<3x3x32x48xf32>) -> tensor<36x1x48x32xf32>
tg.variable @w : tensor<3x3x32x48xf32>
func.func @train(%x: tensor<?x64x64x32xf32> {tg.name = "x"}) -> (tensor<?x64x64x32xf32> {tg.name = "g"}) {
  %w = tg.read @w : tensor<3x3x32x48xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x64x64x32xf32>, tensor<3x3x32x48xf32>) -> tensor<?x64x64x48xf32>
  %g = tg.conv_transpose %y, %w {output_sizes = [64, 64], padding = "same"} : (tensor<?x64x64x48xf32>, tensor<3x3x32x48xf32>) -> tensor<?x64x64x32xf32>
  %half = tg.constant dense<0.5> : tensor<f32>
  %less = tg.mul %w, %half : (tensor<3x3x32x48xf32>, tensor<f32>) -> tensor<3x3x32x48xf32>
  tg.assign @w, %less : tensor<3x3x32x48xf32>
  return %g : tensor<?x64x64x32xf32>
}

// -----

// For few tiles the kernel transforms the filter itself on the fly.

// CHECK-LABEL: func.func @inside
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK-NEXT: tgx.call @[[CONV:[a-z0-9_]+]](%{{.*}}, %[[W]])
// CHECK-NEXT: tgx.call @[[ADJOINT:[a-z0-9_]+]](%{{.*}}, %[[W]])
// CHECK: tgx.kernel @[[CONV]] contraction[s0](%{{.*}}: tensor<?x8x8x64xf32>{{.*}}, %{{.*}}: tensor<3x3x64x48xf32>) attributes {algorithm = "winograd"}
// CHECK: tgx.kernel @[[ADJOINT]] contraction[s0](%{{.*}}, %{{.*}}: tensor<3x3x64x48xf32>) attributes {algorithm = "winograd"}
tg.variable @w : tensor<3x3x64x48xf32>
func.func @inside(%x: tensor<?x8x8x64xf32> {tg.name = "x"}) -> (tensor<?x8x8x64xf32> {tg.name = "g"}) {
  %w = tg.read @w : tensor<3x3x64x48xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x8x8x64xf32>, tensor<3x3x64x48xf32>) -> tensor<?x8x8x48xf32>
  %g = tg.conv_transpose %y, %w {output_sizes = [8, 8], padding = "same"} : (tensor<?x8x8x48xf32>, tensor<3x3x64x48xf32>) -> tensor<?x8x8x64xf32>
  tg.assign @w, %w : tensor<3x3x64x48xf32>
  return %g : tensor<?x8x8x64xf32>
}

// -----

// Many images of 2x2 use tiles of 2x2 positions.

// CHECK-LABEL: func.func @tiny
// CHECK: tgx.call @[[CONV:[a-z0-9_]+]](%{{.*}}, %{{.*}}) : (tensor<64x2x2x64xf32>, tensor<3x3x64x64xf32>)
// CHECK: tgx.call @[[GRADIENT:[a-z0-9_]+]](
// CHECK: tgx.kernel @[[CONV]] contraction({{.*}}) attributes {algorithm = "winograd_2x2"}
// CHECK: tgx.kernel @[[GRADIENT]] contraction({{.*}}) attributes {algorithm = "winograd_2x2"}
func.func @tiny(%x: tensor<64x2x2x64xf32> {tg.name = "x"}, %w: tensor<3x3x64x64xf32> {tg.name = "w"}) -> (tensor<64x2x2x64xf32> {tg.name = "y"}, tensor<3x3x64x64xf32> {tg.name = "v"}) {
  %y = tg.conv %x, %w {padding = "same"} : (tensor<64x2x2x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x2x2x64xf32>
  %v = tg.conv_filter_grad %x, %y {filter_sizes = [3, 3], padding = "same"} : (tensor<64x2x2x64xf32>, tensor<64x2x2x64xf32>) -> tensor<3x3x64x64xf32>
  return %y, %v : tensor<64x2x2x64xf32>, tensor<3x3x64x64xf32>
}

// -----

// The kernel of a filter gradient transforms both operands itself.

// CHECK-LABEL: func.func @gradient
// CHECK: tgx.call @[[GRADIENT:[a-z0-9_]+]](%{{.*}}, %{{.*}})
// CHECK: tgx.kernel @[[GRADIENT]] contraction{{.*}} attributes {algorithm = "winograd"}
// CHECK: tg.conv_filter_grad
func.func @gradient(%x: tensor<?x8x8x32xf32> {tg.name = "x"}, %y: tensor<?x8x8x48xf32> {tg.name = "y"}) -> (tensor<3x3x32x48xf32> {tg.name = "w"}) {
  %w = tg.conv_filter_grad %x, %y {filter_sizes = [3, 3], padding = "same"} : (tensor<?x8x8x32xf32>, tensor<?x8x8x48xf32>) -> tensor<3x3x32x48xf32>
  return %w : tensor<3x3x32x48xf32>
}

// -----

// The choice does not depend on the number of images: a single one, too, has
// the bits of a usual batch.

// CHECK-LABEL: func.func @single
// CHECK: algorithm = "winograd"
func.func @single(%x: tensor<1x8x8x32xf32> {tg.name = "x"}, %w: tensor<3x3x32x32xf32> {tg.name = "w"}) -> (tensor<1x8x8x32xf32> {tg.name = "y"}) {
  %y = tg.conv %x, %w {padding = "same"} : (tensor<1x8x8x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// -----

// The channels need not fill whole vectors; the last vector costs as much as a
// full one.

// CHECK-LABEL: func.func @ragged
// CHECK-COUNT-3: algorithm = "winograd"
func.func @ragged(%x: tensor<8x16x16x33xf32> {tg.name = "x"}, %w: tensor<3x3x33x40xf32> {tg.name = "w"}) -> (tensor<8x16x16x33xf32> {tg.name = "g"}, tensor<3x3x33x40xf32> {tg.name = "v"}) {
  %y = tg.conv %x, %w {padding = "same"} : (tensor<8x16x16x33xf32>, tensor<3x3x33x40xf32>) -> tensor<8x16x16x40xf32>
  %g = tg.conv_transpose %y, %w {output_sizes = [16, 16], padding = "same"} : (tensor<8x16x16x40xf32>, tensor<3x3x33x40xf32>) -> tensor<8x16x16x33xf32>
  %v = tg.conv_filter_grad %x, %y {filter_sizes = [3, 3], padding = "same"} : (tensor<8x16x16x33xf32>, tensor<8x16x16x40xf32>) -> tensor<3x3x33x40xf32>
  return %g, %v : tensor<8x16x16x33xf32>, tensor<3x3x33x40xf32>
}

// -----

// Other strides, dilations, groups, filter sizes and types use direct
// convolutions.

// CHECK-LABEL: func.func @other
// CHECK-NOT: winograd
tg.variable @w : tensor<3x3x32x32xf32>
tg.variable @g : tensor<3x3x16x32xf32>
tg.variable @k : tensor<5x5x32x32xf32>
tg.variable @d : tensor<3x3x32x32xf64>
func.func @other(%x: tensor<2x32x32x32xf32> {tg.name = "x"}, %z: tensor<2x32x32x32xf64> {tg.name = "z"}) -> (tensor<2x16x16x32xf32> {tg.name = "y0"}, tensor<2x28x28x32xf32> {tg.name = "y1"}, tensor<2x30x30x32xf32> {tg.name = "y2"}, tensor<2x28x28x32xf32> {tg.name = "y3"}, tensor<2x30x30x32xf64> {tg.name = "y4"}) {
  %w = tg.read @w : tensor<3x3x32x32xf32>
  %g = tg.read @g : tensor<3x3x16x32xf32>
  %k = tg.read @k : tensor<5x5x32x32xf32>
  %d = tg.read @d : tensor<3x3x32x32xf64>
  %0 = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<2x32x32x32xf32>, tensor<3x3x32x32xf32>) -> tensor<2x16x16x32xf32>
  %1 = tg.conv %x, %w {dilations = [2, 2], padding = "valid"} : (tensor<2x32x32x32xf32>, tensor<3x3x32x32xf32>) -> tensor<2x28x28x32xf32>
  %2 = tg.conv %x, %g {groups = 2, padding = "valid"} : (tensor<2x32x32x32xf32>, tensor<3x3x16x32xf32>) -> tensor<2x30x30x32xf32>
  %3 = tg.conv %x, %k {padding = "valid"} : (tensor<2x32x32x32xf32>, tensor<5x5x32x32xf32>) -> tensor<2x28x28x32xf32>
  %4 = tg.conv %z, %d {padding = "valid"} : (tensor<2x32x32x32xf64>, tensor<3x3x32x32xf64>) -> tensor<2x30x30x32xf64>
  return %0, %1, %2, %3, %4 : tensor<2x16x16x32xf32>, tensor<2x28x28x32xf32>, tensor<2x30x30x32xf32>, tensor<2x28x28x32xf32>, tensor<2x30x30x32xf64>
}

// -----

// The input gradient transposes the filter by packing it, once even in a
// training function.

// CHECK-LABEL: func.func @strided
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%{{.*}}) {{.*}} -> tensor<1x432x64xf32>
// CHECK: tgx.call @[[ADJOINT:[a-z0-9_]+_packed]](%{{.*}}, %[[PANELS]])
// CHECK: tgx.kernel @[[PACK]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 2, width = 64>) : (tensor<3x3x16x48xf32>) -> tensor<1x432x64xf32>
// CHECK: tgx.kernel @[[ADJOINT]] contraction{{.*}} attributes {algorithm = "panels"}
// CHECK: tgx.unpack %{{.*}} as(#cpu.panels<axis = 2, width = 64>)
func.func @strided(%y: tensor<?x4x4x48xf32> {tg.name = "y"}, %w: tensor<3x3x16x48xf32> {tg.name = "w"}) -> (tensor<?x8x8x16xf32> {tg.name = "g"}) {
  %g = tg.conv_transpose %y, %w {output_sizes = [8, 8], padding = "same", strides = [2, 2]} : (tensor<?x4x4x48xf32>, tensor<3x3x16x48xf32>) -> tensor<?x8x8x16xf32>
  return %g : tensor<?x8x8x16xf32>
}

// -----

// Filters with few columns, or with few rows per phase, are not packed.

// CHECK-LABEL: func.func @few
// CHECK-NOT: tgx.pack
func.func @few(%y: tensor<?x4x4x48xf32> {tg.name = "y"}, %w: tensor<3x3x15x48xf32> {tg.name = "w"}, %z: tensor<23x4x4x48xf32> {tg.name = "z"}, %v: tensor<3x3x16x48xf32> {tg.name = "v"}) -> (tensor<?x8x8x15xf32> {tg.name = "g"}, tensor<23x8x8x16xf32> {tg.name = "h"}) {
  %g = tg.conv_transpose %y, %w {output_sizes = [8, 8], padding = "same", strides = [2, 2]} : (tensor<?x4x4x48xf32>, tensor<3x3x15x48xf32>) -> tensor<?x8x8x15xf32>
  %h = tg.conv_transpose %z, %v {output_sizes = [8, 8], padding = "same", strides = [2, 2]} : (tensor<23x4x4x48xf32>, tensor<3x3x16x48xf32>) -> tensor<23x8x8x16xf32>
  return %g, %h : tensor<?x8x8x15xf32>, tensor<23x8x8x16xf32>
}

// -----

// A 1x1 filter is a matrix of channels: the variable is packed, not its
// reshape.

// CHECK-LABEL: func.func @pointwise
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<2x32x64xf32>
// CHECK: tgx.call @[[MATMUL:[a-z0-9_]+]](%{{.*}}, %[[PANELS]])
// CHECK: tgx.kernel @[[PACK]] custom
// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 64>) : (tensor<1x1x32x80xf32>) -> tensor<2x32x64xf32>
// CHECK: tgx.kernel @[[MATMUL]] contraction{{.*}} attributes {algorithm = "panels"}
// CHECK: %[[FILTER:[a-z0-9_]+]] = tgx.unpack %{{.*}} as(#cpu.panels<axis = 1, width = 64>) : (tensor<2x32x64xf32>) -> tensor<32x80xf32>
// CHECK: tg.matmul %{{.*}}, %[[FILTER]]
tg.variable @w : tensor<1x1x32x80xf32>
func.func @pointwise(%x: tensor<?x14x20x32xf32> {tg.name = "x"}) -> (tensor<?x14x20x80xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<1x1x32x80xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x14x20x32xf32>, tensor<1x1x32x80xf32>) -> tensor<?x14x20x80xf32>
  return %y : tensor<?x14x20x80xf32>
}
