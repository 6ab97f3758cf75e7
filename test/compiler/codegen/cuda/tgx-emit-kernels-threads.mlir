// A kernel for a device has one parameter for each slot of the argument block,
// and the code of one thread,
// which does nothing after a launch that failed.
// RUN: tgc-opt %s --tgx-emit-kernels="kind=cuda level=16" | FileCheck %s
// RUN: not tgc-opt %s --tgx-emit-kernels=kind=cuda 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: option 'level': expected 16, found 3

// A thread computes four elements: by one load and one store if the addresses
// are aligned, otherwise one after the other.
// CHECK: #[[THREADS:.*]] = affine_map<()[s0] -> (s0)>
// CHECK: func.func @scale(%[[X:.*]]: i64, %[[Y:.*]]: i64, %[[S0:.*]]: i64, %{{.*}}: i64, %[[REPORT:.*]]: i64, %[[LAUNCH:.*]]: i64) attributes {passthrough = {{\[\[}}"nvvm.maxntid", "128"]], tgx.threads = #[[THREADS]]}
// CHECK: %[[ERRORS:.*]] = llvm.inttoptr %[[REPORT]] : i64 to !llvm.ptr<1>
// CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"
// CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
// CHECK: %[[NUMBER:.*]] = arith.addi
// CHECK: %[[ACTIVE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[S0]]
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[ERRORS]][8]
// CHECK: %[[FAILING:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[RUNS:.*]] = arith.cmpi sge, %[[FAILING]], %[[LAUNCH]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[ACTIVE]], %[[RUNS]]
// CHECK: %[[FROM:.*]] = llvm.inttoptr %[[X]] : i64 to !llvm.ptr<1>
// CHECK: %[[TO:.*]] = llvm.inttoptr %[[Y]] : i64 to !llvm.ptr<1>
// CHECK: scf.if %[[BOTH]] {
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c4
// CHECK: %[[BITS:.*]] = arith.ori
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[BITS]]
// CHECK: scf.if %[[ALIGNED]] {
// CHECK: llvm.getelementptr %[[FROM]][%[[FIRST]]]
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-4: arith.mulf
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %[[TO]][%[[FIRST]]]
// CHECK: llvm.store {{.*}}, %[[ADDRESS]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: } else {
// CHECK: scf.for %[[ELEMENT:.*]] = %[[FIRST]] to
// CHECK: llvm.getelementptr %[[FROM]][%[[ELEMENT]]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %[[TO]][%[[ELEMENT]]]
// CHECK: llvm.store %[[PRODUCT]], %[[ADDRESS]] {alignment = 4 : i64}
tgx.kernel @scale loop[s0](%x: tensor<?x4xf32> [s0, 4]) with(%c = dense<3.0> : tensor<f32>) {
  %y = tg.mul %x, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}
