// Each pass that asks for the target of the module, on targets of the kind
// "test": no algorithms, no packed operands, arenas with an alignment of 256.

// RUN: tgc-opt %s --split-input-file --verify-each --pass-pipeline='builtin.module(func.func(tg-state-orders,tg-prepare-kernels,tg-join-concatenations),tg-fuse-kernels,tg-pack-weights,tg-place-parts,tg-schedule,tg-non-temporal-outputs)' | FileCheck %s

// No algorithm of the target can also reduce the rows of its result, and weights
// are not packed. On CPUs, both are the case.

// CHECK-LABEL: tgx.function @products
// CHECK-NOT: tgx.packed
// CHECK: tgx.kernel @matmul__products contraction
// CHECK-NOT: algorithm
// CHECK: tgx.kernel @relu_reduce_sum__products reduction
module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2>} {
  tg.variable @w : tensor<4x16xf32>
  func.func @products(%x: tensor<8x4xf32> {tg.name = "x"}) -> (tensor<8x16xf32> {tg.name = "y"}, tensor<16xf32> {tg.name = "s"}) {
    %w = tg.read @w : tensor<4x16xf32>
    %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %y = tg.relu %a : tensor<8x16xf32>
    %s = tg.reduce_sum %y {axes = [0]} : (tensor<8x16xf32>) -> tensor<16xf32>
    return %y, %s : tensor<8x16xf32>, tensor<16xf32>
  }
}

// -----

// CHECK-LABEL: tgx.function @packed
// CHECK: tgx.packed @w
// CHECK: tgx.kernel @{{.*}} contraction{{.*}}algorithm = "panels"
module attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {
  tg.variable @w : tensor<4x16xf32>
  func.func @packed(%x: tensor<8x4xf32> {tg.name = "x"}) -> (tensor<8x16xf32> {tg.name = "y"}) {
    %w = tg.read @w : tensor<4x16xf32>
    %y = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    return %y : tensor<8x16xf32>
  }
}

// -----

// Rows of 64 bytes are shorter than those that the target writes in place.

// CHECK-LABEL: tgx.function @parts
// CHECK: tgx.kernel @{{.*}} loop
// CHECK: tg.concat
module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {least_part_row_bytes = 128}>} {
  func.func @parts(%x: tensor<8x4xf32> {tg.name = "x"}, %w: tensor<4x16xf32> {tg.name = "w"}) -> (tensor<8x32xf32> {tg.name = "y"}) {
    %a = tg.matmul %x, %w : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %b = tg.relu %a : tensor<8x16xf32>
    %y = tg.concat %a, %b {axis = 1} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    return %y : tensor<8x32xf32>
  }
}

// -----

// Buffers of 400 bytes take 512 bytes each.

// CHECK-LABEL: tgx.function @aligned
// CHECK-SAME: alignment = 256 : i64
// CHECK-SAME: arena_bytes = 1024 : i64
module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {alignment = 256}>} {
  func.func @aligned(%x: tensor<100x1xf32> {tg.name = "x"}) -> (tensor<100x1xf32> {tg.name = "y"}) {
    %a = tg.cumsum %x {axis = 0} : tensor<100x1xf32>
    %b = tg.cumsum %a {axis = 0} : tensor<100x1xf32>
    %y = tg.cumsum %b {axis = 0} : tensor<100x1xf32>
    return %y : tensor<100x1xf32>
  }
}

// -----

// CHECK-LABEL: tgx.kernel @relu__far loop
// CHECK-SAME: non_temporal_outputs
module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {near_cache_bytes = 32, total_cache_bytes = 32}>} {
  func.func @far(%x: tensor<16xf32> {tg.name = "x"}) -> (tensor<16xf32> {tg.name = "y"}) {
    %y = tg.relu %x : tensor<16xf32>
    return %y : tensor<16xf32>
  }
}
