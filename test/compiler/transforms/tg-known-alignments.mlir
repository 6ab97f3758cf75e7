// Kernels know the alignment that their buffers have in all launches.
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{uses_alignments = 1}"},tg-known-alignments)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test},tg-known-alignments)' | FileCheck %s --check-prefix=UNUSED

// A target that does not use alignments shares kernels that differ in them.
// UNUSED-NOT: alignments

// Variables, constants and the workspace are aligned to a cache line, inputs
// and outputs to 16 bytes. Both launches of @add share the kernel.
module {
  tg.variable @v : tensor<16xf32>
  // CHECK-LABEL: tgx.function @f
  tgx.function @f attributes {
      symbols = [], computed = affine_map<() -> ()>,
      inputs = [{name = "x", type = tensor<16xf32>, extents = affine_map<() -> (16)>}],
      outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>}],
      role = "", arena_bytes = 64 : i64, lower_bound_bytes = 64 : i64} {
    %x = tgx.input 0 : tensor<16xf32>
    %y = tgx.output 0 : tensor<16xf32>
    %v = tgx.slab @v : tensor<16xf32>
    %w = tgx.workspace 0 [] -> (64) above [] : tensor<16xf32>
    tgx.launch @add(%v, %x) into(%w) : tensor<16xf32>, tensor<16xf32> into tensor<16xf32>
    tgx.launch @add(%v, %w) into(%y) : tensor<16xf32>, tensor<16xf32> into tensor<16xf32>
  }
  // CHECK: tgx.kernel @add loop({{.*}}) attributes {alignments = array<i64: 64, 16, 16>}
  tgx.kernel @add loop(%a: tensor<16xf32>, %b: tensor<16xf32>) {
    %0 = tg.add %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    tgx.yield %0 : tensor<16xf32>
  }
}

// -----

// Callers align memory of a device.
module {
  tgx.function @f attributes {
      symbols = [], computed = affine_map<() -> ()>,
      inputs = [{name = "x", type = tensor<16xf32>, extents = affine_map<() -> (16)>}],
      outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>}],
      role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
    %x = tgx.input 0 : tensor<16xf32>
    %y = tgx.output 0 : tensor<16xf32>
    tgx.launch @relu(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
  }
  // CHECK: tgx.kernel @relu loop({{.*}}) attributes {alignments = array<i64: 16, 16>}
  tgx.kernel @relu loop(%a: tensor<16xf32>) {
    %0 = tg.relu %a : tensor<16xf32>
    tgx.yield %0 : tensor<16xf32>
  }
}
