// A kernel for a device has one parameter for each slot of the argument block,
// and the code of one thread,
// which does nothing after a launch that failed.
// RUN: tgc-opt %s --tgx-emit-kernels="kind=cuda level=16" | FileCheck %s
// RUN: not tgc-opt %s --tgx-emit-kernels=kind=cuda 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: option 'level': expected 16, found 3

// CHECK: #[[THREADS:.*]] = affine_map<()[s0] -> (s0 * 4)>
// CHECK: func.func @scale(%[[X:.*]]: i64, %[[Y:.*]]: i64, %[[S0:.*]]: i64, %{{.*}}: i64, %[[REPORT:.*]]: i64, %[[LAUNCH:.*]]: i64) attributes {passthrough = {{\[\[}}"nvvm.maxntid", "128"]], tgx.threads = #[[THREADS]]}
// CHECK: %[[COUNT:.*]] = arith.muli %[[S0]]
// CHECK: %[[ERRORS:.*]] = llvm.inttoptr %[[REPORT]] : i64 to !llvm.ptr<1>
// CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"
// CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
// CHECK: %[[NUMBER:.*]] = arith.addi
// CHECK: %[[ACTIVE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[COUNT]]
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[ERRORS]][8]
// CHECK: %[[FAILING:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[RUNS:.*]] = arith.cmpi sge, %[[FAILING]], %[[LAUNCH]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[ACTIVE]], %[[RUNS]]
// CHECK: %[[FROM:.*]] = llvm.inttoptr %[[X]] : i64 to !llvm.ptr<1>
// CHECK: %[[TO:.*]] = llvm.inttoptr %[[Y]] : i64 to !llvm.ptr<1>
// CHECK: scf.if %[[BOTH]] {
// CHECK: llvm.getelementptr %[[FROM]][%[[NUMBER]]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %[[TO]][%[[NUMBER]]]
// CHECK: llvm.store %[[PRODUCT]], %[[ADDRESS]]
tgx.kernel @scale loop[s0](%x: tensor<?x4xf32> [s0, 4]) with(%c = dense<3.0> : tensor<f32>) {
  %y = tg.mul %x, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}
