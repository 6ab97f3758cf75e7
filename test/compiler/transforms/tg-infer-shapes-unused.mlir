// RUN: tgc-opt %s --tg-infer-shapes="dims=batch=4,x.1=3" | FileCheck %s
// RUN: not tgc-opt %s --tg-infer-shapes="dims=btach=4" 2>&1 | FileCheck %s --check-prefix=UNUSED

// An extent without a name is identified by its input and dimension.
// CHECK-LABEL: func.func @f
// CHECK-SAME: tensor<4x3xf32>
// UNUSED: error: option 'dim': expected an input with an unknown extent 'btach' to bind
func.func @f(%x: tensor<?x?xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<?x?xf32> {tg.name = "y"}) {
  %y = tg.relu %x : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
