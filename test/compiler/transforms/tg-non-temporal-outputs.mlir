// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(tg-set-target{kind=test properties="{l2_bytes = 1024, near_cache_bytes = 6144, total_cache_bytes = 4096}"},tg-schedule,tg-non-temporal-outputs)' | FileCheck %s
// RUN: tgc-opt %s --split-input-file --tg-schedule --tg-non-temporal-outputs | FileCheck %s --check-prefix=NONE

// NONE-NOT: non_temporal_outputs

// The distance between a write and the next use is half of the launch that
// writes, half of the launch that reads, and everything between: 4 KiB for a
// value that is read at once, 13 KiB for a value that is read at the end.
// Nothing is known about the caller's use of an output, so only 3 KiB count.

// CHECK-LABEL: tgx.kernel @soon
// CHECK-NOT: non_temporal_outputs
// CHECK: tgx.kernel @late loop(%{{.*}}) attributes {non_temporal_outputs = array<i64: 64>}
// CHECK-NOT: non_temporal_outputs
tgx.kernel @soon loop(%x: tensor<512xf32>) {
  %0 = tg.neg %x : tensor<512xf32>
}
tgx.kernel @late loop(%x: tensor<512xf32>) {
  %0 = tg.exp %x : tensor<512xf32>
}
tgx.kernel @add loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}
func.func @read_later(%x: tensor<512xf32> {tg.name = "x"}) -> (tensor<512xf32> {tg.name = "y"}) {
  %0 = tgx.call @late(%x) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %1 = tgx.call @soon(%x) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %2 = tgx.call @soon(%1) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %3 = tgx.call @add(%2, %0) [] -> () : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
  return %3 : tensor<512xf32>
}

// -----

// The memory of the second output was last used by the previous call; a
// caller's buffer is only aligned to an element. The first output is not read
// soon either, but it is small.

// CHECK-LABEL: tgx.kernel @both loop
// CHECK-SAME: attributes {non_temporal_outputs = array<i64: 0, 4>}
tgx.kernel @both loop(%x: tensor<2x512xf32>, %z: tensor<2xf32>) {
  %0 = tg.neg %z : tensor<2xf32>
  %1 = tg.exp %x : tensor<2x512xf32>
  tgx.yield %0, %1 : tensor<2xf32>, tensor<2x512xf32>
}
tgx.kernel @more loop(%x: tensor<2x512xf32>) {
  %0 = tg.neg %x : tensor<2x512xf32>
}
func.func @for_the_caller(%x: tensor<2x512xf32> {tg.name = "x"}, %z: tensor<2xf32> {tg.name = "z"})
    -> (tensor<2xf32> {tg.name = "small"}, tensor<2x512xf32> {tg.name = "y"}, tensor<2x512xf32> {tg.name = "last"}) {
  %0:2 = tgx.call @both(%x, %z) [] -> () : (tensor<2x512xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2x512xf32>)
  %1 = tgx.call @more(%x) [] -> () : (tensor<2x512xf32>) -> tensor<2x512xf32>
  return %0#0, %0#1, %1 : tensor<2xf32>, tensor<2x512xf32>, tensor<2x512xf32>
}

// -----

// All launches of a kernel must agree: the result of the second one is read at
// once.

// CHECK-LABEL: tgx.kernel @twice loop
// CHECK-NOT: non_temporal_outputs
tgx.kernel @twice loop(%x: tensor<512xf32>) {
  %0 = tg.exp %x : tensor<512xf32>
}
tgx.kernel @join loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}
func.func @all_agree(%x: tensor<512xf32> {tg.name = "x"}) -> (tensor<512xf32> {tg.name = "y"}) {
  %0 = tgx.call @twice(%x) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %1 = tgx.call @twice(%x) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %2 = tgx.call @join(%1, %0) [] -> () : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
  return %2 : tensor<512xf32>
}

// -----

// A launch that updates a variable in place has just read its cache lines.

// CHECK-LABEL: tgx.kernel @update loop
// CHECK-NOT: non_temporal_outputs
tg.variable @w {trainable} : tensor<4096xf32>
tgx.kernel @update loop(%x: tensor<4096xf32>) {
  %0 = tg.exp %x : tensor<4096xf32>
}
func.func @in_place() {
  %0 = tg.read @w : tensor<4096xf32>
  %1 = tgx.call @update(%0) [] -> () : (tensor<4096xf32>) -> tensor<4096xf32>
  tg.assign @w, %1 : tensor<4096xf32>
  return
}

// -----

// Launches with other extents need not agree: they get their own kernel.

// CHECK-LABEL: tgx.kernel @late loop[s0]
// CHECK-SAME: attributes {non_temporal_outputs = array<i64: 64>}
// CHECK: tgx.kernel @late_0 loop[s0]({{[^)]*}}) {
// CHECK: tgx.launch @late(%{{.*}}) into(%{{.*}}) [] -> (512)
// CHECK: tgx.launch @late_0(%{{.*}}) into(%{{.*}}) [] -> (4)
tgx.kernel @late loop[s0](%x: tensor<?xf32> [s0]) {
  %0 = tg.exp %x : tensor<?xf32>
}
tgx.kernel @soon loop(%x: tensor<512xf32>) {
  %0 = tg.neg %x : tensor<512xf32>
}
tgx.kernel @add loop(%x: tensor<512xf32>, %y: tensor<512xf32>) {
  %0 = tg.add %x, %y : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
}
func.func @sizes(%x: tensor<512xf32> {tg.name = "x"}, %s: tensor<4xf32> {tg.name = "s"}) -> (tensor<512xf32> {tg.name = "y"}, tensor<4xf32> {tg.name = "t"}) {
  %0 = tgx.call @late(%x) [] -> (512) : (tensor<512xf32>) -> tensor<512xf32>
  %4 = tgx.call @late(%s) [] -> (4) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tgx.call @soon(%x) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %2 = tgx.call @soon(%1) [] -> () : (tensor<512xf32>) -> tensor<512xf32>
  %3 = tgx.call @add(%2, %0) [] -> () : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
  return %3, %4 : tensor<512xf32>, tensor<4xf32>
}
