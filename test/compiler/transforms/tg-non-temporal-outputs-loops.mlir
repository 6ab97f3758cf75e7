// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{l2_bytes = 1024, near_cache_bytes = 12000, total_cache_bytes = 2048}"},tg-non-temporal-outputs)' | FileCheck %s

// A loop touches the memory of its body once per iteration: between the write
// and the use lie 9 KiB, and 2 KiB for each of four iterations.

// CHECK-LABEL: tgx.function @long
// CHECK: tgx.kernel @early loop(%{{[a-z0-9]+}}: tensor<512xf32>) attributes {non_temporal_outputs = array<i64: 64>}
tgx.function @long attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<512xf32>, extents = affine_map<() -> (512)>}],
    outputs = [{name = "y", type = tensor<512xf32>, extents = affine_map<() -> (512)>}]} {
  %a = tgx.workspace 0 [] -> (2048) above [] : tensor<512xf32>
  %b = tgx.workspace 1 [] -> (2048) above [0] : tensor<512xf32>
  %x = tgx.input 0 : tensor<512xf32>
  %y = tgx.output 0 : tensor<512xf32>
  tgx.launch @early(%x) into (%a) : tensor<512xf32> into tensor<512xf32>
  tgx.launch @step(%x) into (%b) : tensor<512xf32> into tensor<512xf32>
  tgx.for [] -> (4) {
    tgx.launch @step(%b) into (%b) : tensor<512xf32> into tensor<512xf32>
  }
  tgx.launch @add(%a, %b) into (%y) : tensor<512xf32>, tensor<512xf32> into tensor<512xf32>
}
tgx.kernel @early loop(%x: tensor<512xf32>) {
  %0 = tg.exp %x : tensor<512xf32>
}
tgx.kernel @step loop(%x: tensor<512xf32>) {
  %0 = tg.neg %x : tensor<512xf32>
}
tgx.kernel @add loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}

// -----

// Between the write and the use lie 9 KiB and 2 KiB.

// CHECK-LABEL: tgx.function @short
// CHECK: tgx.kernel @early loop(%{{[a-z0-9]+}}: tensor<512xf32>) {
tgx.function @short attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<512xf32>, extents = affine_map<() -> (512)>}],
    outputs = [{name = "y", type = tensor<512xf32>, extents = affine_map<() -> (512)>}]} {
  %a = tgx.workspace 0 [] -> (2048) above [] : tensor<512xf32>
  %b = tgx.workspace 1 [] -> (2048) above [0] : tensor<512xf32>
  %x = tgx.input 0 : tensor<512xf32>
  %y = tgx.output 0 : tensor<512xf32>
  tgx.launch @early(%x) into (%a) : tensor<512xf32> into tensor<512xf32>
  tgx.launch @step(%x) into (%b) : tensor<512xf32> into tensor<512xf32>
  tgx.for [] -> (1) {
    tgx.launch @step(%b) into (%b) : tensor<512xf32> into tensor<512xf32>
  }
  tgx.launch @add(%a, %b) into (%y) : tensor<512xf32>, tensor<512xf32> into tensor<512xf32>
}
tgx.kernel @early loop(%x: tensor<512xf32>) {
  %0 = tg.exp %x : tensor<512xf32>
}
tgx.kernel @step loop(%x: tensor<512xf32>) {
  %0 = tg.neg %x : tensor<512xf32>
}
tgx.kernel @add loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}

// -----

// A kernel that a loop launches as well does not stream: the next iteration
// reads its output.

// CHECK-LABEL: tgx.function @inside
// CHECK: tgx.kernel @early loop(%{{[a-z0-9]+}}: tensor<512xf32>) {
tgx.function @inside attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<512xf32>, extents = affine_map<() -> (512)>}],
    outputs = [{name = "y", type = tensor<512xf32>, extents = affine_map<() -> (512)>}]} {
  %a = tgx.workspace 0 [] -> (2048) above [] : tensor<512xf32>
  %b = tgx.workspace 1 [] -> (2048) above [0] : tensor<512xf32>
  %x = tgx.input 0 : tensor<512xf32>
  %y = tgx.output 0 : tensor<512xf32>
  tgx.launch @early(%x) into (%a) : tensor<512xf32> into tensor<512xf32>
  tgx.launch @step(%x) into (%b) : tensor<512xf32> into tensor<512xf32>
  tgx.for [] -> (4) {
    tgx.launch @early(%b) into (%b) : tensor<512xf32> into tensor<512xf32>
  }
  tgx.launch @add(%a, %b) into (%y) : tensor<512xf32>, tensor<512xf32> into tensor<512xf32>
}
tgx.kernel @early loop(%x: tensor<512xf32>) {
  %0 = tg.exp %x : tensor<512xf32>
}
tgx.kernel @step loop(%x: tensor<512xf32>) {
  %0 = tg.neg %x : tensor<512xf32>
}
tgx.kernel @add loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}
