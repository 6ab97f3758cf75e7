// The width of index arithmetic.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch dynamic: 7 parameters
// CHECK-NEXT: // or tg$2Ewide$2Edynamic if positive: affine_map<()[s0, s1] -> (s0 * (s1 * 8) + s1 * (s0 * 8) - 1073741824)>
// CHECK-NEXT: // launch plain
// CHECK-NEXT: // launch small
// CHECK-NEXT: // launch large

// A kernel that divides by extents of run time has two versions.

// CHECK-LABEL: .visible .entry dynamic(
// CHECK-NOT: {{(div|rem).[su]64}}
// CHECK: {{(div|rem).u32}}
// CHECK-NOT: {{(div|rem).[su]64}}
// CHECK-LABEL: .visible .entry tg$2Ewide$2Edynamic(
// CHECK: {{(div|rem).u64}}
// CHECK: ret;
tgx.kernel @dynamic loop[s0, s1](%x: tensor<?x?x8xf32> [s0, s1, 8]) {
  %0 = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  tgx.yield %0 : tensor<?x?x8xf32>
}

// A kernel without such divisions has one, which runs for any extents.

// CHECK-LABEL: .visible .entry plain(
// CHECK: ret;
tgx.kernel @plain loop[s0](%x: tensor<?x8xf32> [s0, 8]) {
  %0 = tg.relu %x : tensor<?x8xf32>
  tgx.yield %0 : tensor<?x8xf32>
}

// Static extents decide at once.

// CHECK-LABEL: .visible .entry small(
// CHECK-NOT: mul{{.*}}.{{[su]}}64
// CHECK: ret;
tgx.kernel @small loop(%x: tensor<7x5x8xf32>) {
  %0 = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<7x5x8xf32>) -> tensor<5x7x8xf32>
  tgx.yield %0 : tensor<5x7x8xf32>
}

// CHECK-LABEL: .visible .entry large(
// CHECK: mul{{.*}}.{{[su]}}64
// CHECK: ret;
tgx.kernel @large loop(%x: tensor<70000x50000x8xf32>) {
  %0 = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<70000x50000x8xf32>) -> tensor<50000x70000x8xf32>
  tgx.yield %0 : tensor<50000x70000x8xf32>
}
// CHECK-NOT: .entry tg$2Ewide
