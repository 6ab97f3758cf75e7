// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// One function per constraint of a kernel.

// expected-error @+1 {{expected symbol_count in [0, 4096), found -1 [C1]}}
"tgx.kernel"() <{sym_name = "kernel_c1_symbols", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = -1 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected extents and sizes of 1 arguments, found 1 and 0 [C1]}}
"tgx.kernel"() <{sym_name = "kernel_c1_arguments", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected extents of argument 0 that fit 'tensor<4xf32>' and 0 symbols, found affine_map<() -> (4, 1)> [C2]}}
"tgx.kernel"() <{sym_name = "kernel_c2_rank", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4, 1)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{that fit 'tensor<4xf32>' and 0 symbols, found affine_map<() -> (5)> [C2]}}
"tgx.kernel"() <{sym_name = "kernel_c2_static", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (5)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{that fit 'tensor<?xf32>' and 0 symbols, found affine_map<() -> (-1)> [C2]}}
"tgx.kernel"() <{sym_name = "kernel_c2_negative", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (-1)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()

// -----

// expected-error @+1 {{found affine_map<()[s0] -> (4)> [C2]}}
"tgx.kernel"() <{sym_name = "kernel_c2_symbols", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{found affine_map<()[s0] -> (s0 floordiv 0)> [C2]}}
"tgx.kernel"() <{sym_name = "kernel_c2_divisor", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0 floordiv 0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected argument 0 to be a ranked tensor}}
"tgx.kernel"() <{sym_name = "kernel_g1", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>, affine_map<() -> (4)>], argument_sizes = [unit, unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf16>, %z: tensor<4xf32>):
  %y = tg.relu %z : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected the size of argument 0, 'tensor<4xf32>', to be unit or, for a rank-0 i64, a number over the symbols, found affine_map<() -> (4)> [C3]}}
"tgx.kernel"() <{sym_name = "kernel_c3", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [affine_map<() -> (4)>], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

tg.variable @w : tensor<4xf32>
"tgx.kernel"() <{sym_name = "kernel_c4_effect", strategy = 0 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  // expected-error @+1 {{uses a symbol, expected ops of tg and tgx, or contractions, without regions, effects and symbols in a kernel [C4]}}
  %w = tg.read @w : tensor<4xf32>
  %y = tg.relu %w : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "kernel_c4_dialect", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  // expected-error @+1 {{is of another dialect, expected ops of tg and tgx, or contractions, without regions, effects and symbols in a kernel [C4]}}
  %y = arith.negf %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "kernel_c4_map", strategy = 0 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  // expected-error @+1 {{expected 'value' to be over 0 symbols, found affine_map<()[s0] -> (s0)> [C4]}}
  %n = tgx.size [s0] -> (s0) : tensor<i64>
  %y = tgx.materialize %n : tensor<i64>
  tgx.yield %y : tensor<i64>
}) : () -> ()

// -----

// expected-error @+1 {{expected ops that fit strategy loop, found 1 reductions, 0 contractions, 0 that read panels and 0 of another kind [C5]}}
"tgx.kernel"() <{sym_name = "kernel_c5_loop", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.reduce_sum %x : (tensor<4xf32>) -> tensor<f32>
  tgx.yield %y : tensor<f32>
}) : () -> ()

// -----

// expected-error @+1 {{expected ops that fit strategy reduction, found 0 reductions}}
"tgx.kernel"() <{sym_name = "kernel_c5_reduction", strategy = 1 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected ops that fit strategy contraction, found 0 reductions, 2 contractions}}
"tgx.kernel"() <{sym_name = "kernel_c5_contraction", strategy = 2 : i32,
    argument_extents = [affine_map<() -> (4, 4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4x4xf32>):
  %y = tg.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = tg.matmul %y, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  tgx.yield %z : tensor<4x4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{0 contractions, 1 that read panels and 0 of another kind [C5]}}
"tgx.kernel"() <{sym_name = "kernel_c5_panels", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (1, 4, 64)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<1x4x64xf32>):
  %y = tgx.unpack %x as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<4x40xf32>
  tgx.yield %y : tensor<4x40xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected ops that fit strategy custom, found 0 reductions, 0 contractions, 0 that read panels and 0 of another kind [C5]}}
"tgx.kernel"() <{sym_name = "kernel_c5_custom", strategy = 3 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "kernel_c6", strategy = 0 : i32,
    argument_extents = [affine_map<() -> ()>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%n: tensor<i64>):
  // expected-error @+1 {{expected extents that follow from the symbols of the kernel, found 'tensor<?xi64>' [C6]}}
  %y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  tgx.yield %y : tensor<?xi64>
}) : () -> ()

// -----

// expected-error @+1 {{expected output 0 to be a result of the body and different from all others [C7]}}
"tgx.kernel"() <{sym_name = "kernel_c7_argument", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %x : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected output 1 to be a result of the body and different from all others [C7]}}
"tgx.kernel"() <{sym_name = "kernel_c7_twice", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y, %y : tensor<4xf32>, tensor<4xf32>
}) : () -> ()

// -----

func.func @kernel_parent() {
  // expected-error @+1 {{expects parent op 'builtin.module'}}
  "tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
      argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
  ^bb0(%x: tensor<4xf32>):
    %y = tg.relu %x : tensor<4xf32>
    tgx.yield %y : tensor<4xf32>
  }) : () -> ()
  return
}

// -----

// expected-error @+1 {{expected a strategy, found 'single'}}
tgx.kernel @kernel_strategy single() {
}

// -----

tgx.kernel @kernel_c4_call custom() {
  // expected-error @+1 {{uses a symbol, expected ops of tg and tgx, or contractions, without regions, effects and symbols in a kernel [C4]}}
  %y = tgx.call @kernel_c4_call()  : () -> tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected an entry for each of 1 arguments of a kernel that is not custom, found 0 entries of a loop kernel [C8]}}
"tgx.kernel"() <{sym_name = "kernel_c8_count", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    argument_rows = []}> ({
^bb0(%x: tensor<4x4xf32>):
  %y = tg.relu %x : tensor<4x4xf32>
  tgx.yield %y : tensor<4x4xf32>
}) : () -> ()

// -----

// expected-error @+1 {{expected non_temporal_outputs of 1 numbers that are not negative, found 64, 0 [C9]}}
tgx.kernel @kernel_c9_count loop(%x: tensor<4x4xf32>) attributes {non_temporal_outputs = array<i64: 64, 0>} {
  %y = tg.relu %x : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{expected non_temporal_outputs of 1 numbers that are not negative, found -4 [C9]}}
tgx.kernel @kernel_c9_negative loop(%x: tensor<4x4xf32>) attributes {non_temporal_outputs = array<i64: -4>} {
  %y = tg.relu %x : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{expected unit or static rows of 'tensor<4x4xf32>' that are not longer than their row stride, found #tgx.rows<axis = 1, row_stride = 3> [C8]}}
"tgx.kernel"() <{sym_name = "kernel_c8_pitch", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 3>]}> ({
^bb0(%x: tensor<4x4xf32>):
  %y = tg.relu %x : tensor<4x4xf32>
  tgx.yield %y : tensor<4x4xf32>
}) : () -> ()

// -----

func.func @join_c1() -> tensor<4x4xf32> {
  // expected-error @+1 {{expected at least one part, found none [C1]}}
  %y = "tgx.join"() <{axis = 1 : i64}> : () -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @join_c2_extents(%a: tensor<5x2xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected 'tensor<5x2xf32>' to be a part of 'tensor<4x4xf32>' along axis 1, with static extents from there on [C2]}}
  %y = tgx.join %a, %a along 1 : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @join_c3(%a: tensor<4x3xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected parts of 4 indices along axis 1, found 3 [C3]}}
  %y = tgx.join %a along 1 : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

tgx.kernel @check_finite_c1 loop(%x: tensor<4xf32>, %w: tensor<3xf32>) {
  // expected-error @+1 {{expected floats that broadcast to 'tensor<4xf32>', found 'tensor<3xf32>' [C1]}}
  %y = tgx.check_finite %x from %w {op_name = "tg.add"} : tensor<4xf32> from tensor<3xf32>
}

// -----

tgx.kernel @check_finite_c1_type loop(%x: tensor<4xi32>) {
  // expected-error @+1 {{expected floats that broadcast to 'tensor<4xi32>', found 'tensor<4xi32>' [C1]}}
  %y = tgx.check_finite %x {op_name = "tg.add"} : tensor<4xi32>
}

// -----

// expected-error @+1 {{expected alignments of 2 powers of two, found 64, 12 [C10]}}
tgx.kernel @kernel_c10 loop(%x: tensor<4xf32>) attributes {alignments = array<i64: 64, 12>} {
  %y = tg.relu %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected alignments of 2 powers of two, found 64 [C10]}}
tgx.kernel @kernel_c10_count loop(%x: tensor<4xf32>) attributes {alignments = array<i64: 64>} {
  %y = tg.relu %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected at least two parts with all of 2 outputs, found 1, 2 [C11]}}
tgx.kernel @kernel_c11_count loop(%x: tensor<4xf32>, %y: tensor<9xf32>) attributes {parts = array<i64: 1, 2>} {
  %0 = tg.relu %x : tensor<4xf32>
  %1 = tg.relu %y : tensor<9xf32>
  tgx.yield %0, %1 : tensor<4xf32>, tensor<9xf32>
}

// -----

// expected-error @+1 {{expected parts of a loop without checks and rows, found strategy loop, 1 predicates of checks and no rows [C11]}}
tgx.kernel @kernel_c11_check loop(%x: tensor<4xi32>, %y: tensor<9xf32>) attributes {parts = array<i64: 1, 1>} {
  %0 = tgx.check_divisor %x {op_name = "tg.div"} : tensor<4xi32>
  %1 = tg.relu %y : tensor<9xf32>
  tgx.yield %0, %1 : tensor<4xi32>, tensor<9xf32>
}

// -----

// expected-error @+1 {{expected parts that share constants and sizes alone, with outputs of equal extents each, found 'tg.relu' in part 1 and in another one [C11]}}
tgx.kernel @kernel_c11_shared loop(%x: tensor<4xf32>) attributes {parts = array<i64: 1, 1>} {
  %0 = tg.relu %x : tensor<4xf32>
  %1 = tg.exp %0 : tensor<4xf32>
  tgx.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{expected parts that share constants and sizes alone, with outputs of equal extents each, found outputs of different extents in part 0 [C11]}}
tgx.kernel @kernel_c11_extents loop(%x: tensor<4xf32>, %y: tensor<9xf32>) attributes {parts = array<i64: 2, 1>} {
  %0 = tg.relu %x : tensor<4xf32>
  %1 = tg.relu %y : tensor<9xf32>
  %2 = tg.exp %y : tensor<9xf32>
  tgx.yield %0, %1, %2 : tensor<4xf32>, tensor<9xf32>, tensor<9xf32>
}
