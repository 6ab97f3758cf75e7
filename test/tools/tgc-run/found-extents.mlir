// Outputs with data-dependent sizes: their upper bound is allocated, and their
// actual elements are printed and written. A NaN among these is trapped with
// its position.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/m.so
// RUN: %root/tools/dev/make-npy.py %t/x.npy f32 6 --seed 3
// RUN: tgc-run %t/m.so places --input x=%t/x.npy --input least=-100 --output at=%t/all.npy --output count=%t/n.npy
// RUN: python3 -c "import struct; d = open(r'%t/all.npy', 'rb').read(); assert b'(6, 1)' in d, d" && not cmp %t/all.npy %t/n.npy
// RUN: tgc-run %t/m.so places --input x=%t/x.npy --input least=100 --output at=%t/none.npy | FileCheck %s --check-prefix=NONE
// NONE: count = 0
// RUN: python3 -c "d = open(r'%t/none.npy', 'rb').read(); assert b'(0, 1)' in d, d"
// RUN: tgc-run %t/m.so places --input x=%t/x.npy --input least=100 2>&1 | FileCheck %s --check-prefix=PRINTED
// PRINTED-DAG: at{{.*}}[0, 1]
// PRINTED-DAG: count = 0

// RUN: tgc %s -o %t/trap.so --trap-nan 2>/dev/null
// RUN: tgc-run %t/trap.so roots --input x=%t/x.npy --input least=100 --output y=%t/y.npy
// RUN: python3 -c "d = open(r'%t/y.npy', 'rb').read(); assert b'(0, 1)' in d, d"
// RUN: not tgc-run %t/trap.so roots --input x=%t/x.npy --input least=-100 --output y=%t/y.npy 2>&1 | FileCheck %s --check-prefix=TRAP
// TRAP: TG_ERROR_NAN: {{.*}}found-extents.mlir:[[#@LINE+16]]:10: tg.log: result at element 0 is infinite, expected a finite number
module @found {
  func.func @places(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %least: tensor<f32> {tg.name = "least"})
      -> (tensor<?x1xi64> {tg.name = "at"}, tensor<i64> {tg.name = "count"}) {
    %p = tg.compare gt, %x, %least : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
    %at = tg.nonzero %p : (tensor<?xi1>) -> tensor<?x1xi64>
    %count = tg.dim %at {axis = 0} : (tensor<?x1xi64>) -> tensor<i64>
    return %at, %count : tensor<?x1xi64>, tensor<i64>
  }

  func.func @roots(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %least: tensor<f32> {tg.name = "least"})
      -> (tensor<?x1xf32> {tg.name = "y"}) {
    %p = tg.compare gt, %x, %least : (tensor<?xf32>, tensor<f32>) -> tensor<?xi1>
    %at = tg.nonzero %p : (tensor<?xi1>) -> tensor<?x1xi64>
    %f = tg.cast %at {element_type = f32} : (tensor<?x1xi64>) -> tensor<?x1xf32>
    // Element 0 is log(0).
    %y = tg.log %f : tensor<?x1xf32>
    return %y : tensor<?x1xf32>
  }
}
