// Every phase establishes its invariant, and `tgc` prints the result.
// RUN: tgc %s --stop-after=graph | FileCheck %s --check-prefix=GRAPH
// RUN: tgc %s --stop-after=shapes --dim batch=32 | FileCheck %s --check-prefix=SHAPES
// RUN: tgc %s --stop-after=grad | FileCheck %s --check-prefix=GRAD
// RUN: tgc %s --stop-after=trim | FileCheck %s --check-prefix=TRIM
// RUN: tgc %s --stop-after=fuse | FileCheck %s --check-prefix=FUSE
// RUN: tgc %s -O0 --stop-after=fuse | FileCheck %s --check-prefix=APART
// RUN: tgc %s --stop-after=schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: tgc %s --stop-after=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: tgc %s --stop-after=object | FileCheck %s --check-prefix=OBJECT
// RUN: tgc %s --stop-after=object -o %t.o && llvm-readelf -h %t.o | FileCheck %s --check-prefix=ELF
// RUN: tgc - --stop-after=graph < %s | FileCheck %s --check-prefix=GRAPH

// GRAPH-NOT: func.call
// GRAPH: func.func @slope(%{{.*}}: tensor<?x8xf32> {{.*}}"batch"
// GRAPH: tg.gradient
// SHAPES: func.func @slope(%{{.*}}: tensor<32x8xf32>
// GRAD-NOT: tg.gradient
// GRAD: tg.exp
// TRIM: func.func @slope
// TRIM-NOT: tg.tanh
// FUSE: tgx.call @[[KERNEL:[a-z_0-9]+]](
// FUSE: tgx.kernel @[[KERNEL]] loop
// APART-COUNT-2: tgx.kernel
// SCHEDULE: tgx.function @slope
// SCHEDULE: tgx.input 0
// SCHEDULE: tgx.launch @
// KERNELS: func.func {{.*}}!llvm.ptr
// KERNELS: scf.for
// OBJECT: .text
// OBJECT: tg.v3.kernels:
// ELF: REL (Relocatable file)

func.func private @twice(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = tg.add %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

func.func @slope(%x: tensor<?x8xf32> {tg.name = "x", tg.dims = ["batch", ""]})
    -> (tensor<?x8xf32> {tg.name = "y", tg.dims = ["batch", ""]}) {
  %unused = tg.tanh %x : tensor<?x8xf32>
  %two = func.call @twice(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = tg.exp %two : tensor<?x8xf32>
  %sum = tg.reduce_sum %y : (tensor<?x8xf32>) -> tensor<f32>
  %g = tg.gradient %sum wrt(%x) : (tensor<f32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %g : tensor<?x8xf32>
}
