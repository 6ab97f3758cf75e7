// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// One function per constraint of a launch or a copy.

tgx.function @launch_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected @missing to name a kernel [C1]}}
  tgx.launch @missing(%x) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "both", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  %z = tg.neg %x : tensor<?xf32>
  tgx.yield %y, %z : tensor<?xf32>, tensor<?xf32>
}) : () -> ()
tgx.function @launch_c2 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected 2 outputs, found 1 [C2]}}
  tgx.launch @both(%x) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c3 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected extents for 1 symbols of @relu, found affine_map<()[s0] -> (s0, s0)> [C3]}}
  tgx.launch @relu(%x) into (%y) [s0] -> (s0, s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c4_workspace attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.launch @relu(%w) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c4_output attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  // expected-error @+1 {{expected tgx.output to be written before it is read [C4]}}
  tgx.launch @relu(%y) into (%w) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c5_input attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected to write outputs, variables and workspaces, found tgx.input [C5]}}
  tgx.launch @relu(%x) into (%x) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c5_view attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %v = tgx.view %x : tensor<?xf32> -> tensor<?xf32>
  // expected-error @+1 {{expected to write outputs, variables and workspaces, found tgx.input [C5]}}
  tgx.launch @relu(%x) into (%v) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "both", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  %z = tg.neg %x : tensor<?xf32>
  tgx.yield %y, %z : tensor<?xf32>, tensor<?xf32>
}) : () -> ()
tgx.function @launch_c5_twice attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected outputs in different memory, found output 1 in the memory of another [C5]}}
  tgx.launch @both(%x) into (%y, %y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>, tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c6 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected input 0 to have s0 * 8 bytes, found s0 * 4 [C6]}}
  tgx.launch @relu(%x) into (%y) [s0] -> (s0 * 2) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c6_other_symbol attributes {
    role = "", symbols = ["n", "m"], computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s1)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s1)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected input 0 to have s1 * 4 bytes, found s0 * 4 [C6]}}
  tgx.launch @relu(%x) into (%y) [s0, s1] -> (s1) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "reverse", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.reverse %x {axes = [0]} : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c7 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.launch @reverse(%x) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  // expected-error @+1 {{expected kernel @reverse to read input 0 element by element, found that output 0 overwrites it [C7]}}
  tgx.launch @reverse(%y) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// A kernel runs again to find the value that a check of it reports.

tgx.kernel @check loop[s0](%x: tensor<?xi32> [s0]) {
  %r = tg.relu %x : tensor<?xi32>
  %y = tgx.check_index %r below [s0] -> (5) {op_name = "tg.gather"} : tensor<?xi32>
  tgx.yield %y : tensor<?xi32>
}
tgx.function @launch_c7_reported attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xi32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xi32>
  %y = tgx.output 0 : tensor<?xi32>
  tgx.launch @check(%x) into (%y) [s0] -> (s0) : tensor<?xi32> into tensor<?xi32>
  // expected-error @+1 {{expected kernel @check to read input 0 element by element, found that output 0 overwrites it [C7]}}
  tgx.launch @check(%y) into (%y) [s0] -> (s0) : tensor<?xi32> into tensor<?xi32>
}

// -----

// An intermediate value is computed element by element, but read at another
// index later.

"tgx.kernel"() <{sym_name = "relu_reverse", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %r = tg.relu %x : tensor<?xf32>
  %y = tg.reverse %r {axes = [0]} : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c7_indirect attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.launch @relu_reverse(%x) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  // expected-error @+1 {{expected kernel @relu_reverse to read input 0 element by element, found that output 0 overwrites it [C7]}}
  tgx.launch @relu_reverse(%y) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// The threads of another part may read the input later.

tgx.kernel @exchange loop[s0](%x: tensor<?xf32> [s0], %y: tensor<?xf32> [s0]) attributes {parts = array<i64: 1, 1>} {
  %0 = tg.exp %y : tensor<?xf32>
  %1 = tg.exp %x : tensor<?xf32>
  tgx.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
}
tgx.function @launch_c7_parts attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %z = tgx.output 1 : tensor<?xf32>
  tgx.launch @exchange(%x, %x) into (%y, %z) [s0] -> (s0) : tensor<?xf32>, tensor<?xf32> into tensor<?xf32>, tensor<?xf32>
  // expected-error @+1 {{expected kernel @exchange to read input 0 element by element, found that output 0 overwrites it [C7]}}
  tgx.launch @exchange(%y, %x) into (%y, %z) [s0] -> (s0) : tensor<?xf32>, tensor<?xf32> into tensor<?xf32>, tensor<?xf32>
}

// -----

tgx.function @copy_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected bytes to be one number, found affine_map<()[s0] -> ()> [C1]}}
  tgx.copy %x to %y [s0] -> () : tensor<?xf32> to tensor<?xf32>
}

// -----

tgx.function @copy_c2 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = [{name = "y", type = tensor<4xi32>, extents = affine_map<() -> (4)>}]} {
  %x = tgx.input 0 : tensor<4xf32>
  %y = tgx.output 0 : tensor<4xi32>
  // expected-error @+1 {{expected a target of 'f32', found 'i32' [C2]}}
  tgx.copy %x to %y [] -> (16) : tensor<4xf32> to tensor<4xi32>
}

// -----

tgx.function @copy_c4 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %y = tgx.output 0 : tensor<?xf32>
  %w = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.copy %w to %y [s0] -> (s0 * 4) : tensor<?xf32> to tensor<?xf32>
}

// -----

tgx.function @copy_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.copy %x to %y [s0] -> (s0 * 4) : tensor<?xf32> to tensor<?xf32>
  // expected-error @+1 {{expected a target in other memory than the source, found both in tgx.output [C5]}}
  tgx.copy %y to %y [s0] -> (s0 * 4) : tensor<?xf32> to tensor<?xf32>
}

// -----

tgx.function @copy_c6 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected the source to have s0 * 8 bytes, found s0 * 4 [C6]}}
  tgx.copy %x to %y [s0] -> (s0 * 8) : tensor<?xf32> to tensor<?xf32>
}

// -----

// Only half of the buffer is written.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
"tgx.kernel"() <{sym_name = "neg", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 8)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<2x8xf32>):
  %y = tg.neg %x : tensor<2x8xf32>
  tgx.yield %y : tensor<2x8xf32>
}) : () -> ()
tgx.function @launch_c4_part attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x8xf32>
  %w = tgx.workspace 0 [] -> (64) above [] : tensor<2x8xf32>
  %p = tgx.part %w along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  tgx.launch @relu(%x) into (%p) : tensor<2x4xf32> into tensor<2x4xf32>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.launch @neg(%w) into (%y) : tensor<2x8xf32> into tensor<2x8xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
// expected-error @+1 {{expected output 0 to be written, found no step that writes it [C6]}}
tgx.function @function_c6_part attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 4 : tensor<2x8xf32> -> tensor<2x4xf32>
  tgx.launch @relu(%x) into (%p) : tensor<2x4xf32> into tensor<2x4xf32>
}

// -----

"tgx.kernel"() <{sym_name = "two", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>, #tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  %z = tg.neg %x : tensor<2x4xf32>
  tgx.yield %y, %z : tensor<2x4xf32>, tensor<2x4xf32>
}) : () -> ()
tgx.function @launch_c5_parts attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  %q = tgx.part %y along 1 at 3 : tensor<2x8xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{expected outputs in different memory, found output 1 in the memory of another [C5]}}
  tgx.launch @two(%x) into (%p, %q) : tensor<2x4xf32> into tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// Rows that overlap the rows of the input but are read at other offsets.
"tgx.kernel"() <{sym_name = "both", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    argument_rows = [#tgx.rows<axis = 1, row_stride = 8>], output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
tgx.function @launch_c7_parts attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  %q = tgx.part %y along 1 at 2 : tensor<2x8xf32> -> tensor<2x4xf32>
  %r = tgx.part %y along 1 at 4 : tensor<2x8xf32> -> tensor<2x4xf32>
  tgx.launch @relu(%x) into (%p) : tensor<2x4xf32> into tensor<2x4xf32>
  tgx.launch @both(%p) into (%r) : tensor<2x4xf32> into tensor<2x4xf32>
  // expected-error @+1 {{expected kernel @both to read input 0 element by element, found that output 0 overwrites it [C7]}}
  tgx.launch @both(%p) into (%q) : tensor<2x4xf32> into tensor<2x4xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
tgx.function @launch_c8 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x4xf32>
  // expected-error @+1 {{expected #tgx.rows<axis = 1, row_stride = 8> in output 0, found contiguous rows [C8]}}
  tgx.launch @relu(%x) into (%y) : tensor<2x4xf32> into tensor<2x4xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (2, 4)>], argument_sizes = [unit], symbol_count = 0 : i64,
    output_rows = [#tgx.rows<axis = 1, row_stride = 8>]}> ({
^bb0(%x: tensor<2x4xf32>):
  %y = tg.relu %x : tensor<2x4xf32>
  tgx.yield %y : tensor<2x4xf32>
}) : () -> ()
tgx.function @copy_c5_part attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %x = tgx.input 0 : tensor<2x4xf32>
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{expected whole buffers, found a part [C5]}}
  tgx.copy %x to %p [] -> (32) : tensor<2x4xf32> to tensor<2x4xf32>
}

// -----

tgx.function @host_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected 4 extents, found 3 [C1]}}
  tgx.host "call" "f"(%x) into (%y) [s0] -> (s0, 4, s0) : tensor<?x4xf32> into tensor<?x4xf32>
}

// -----

tgx.function @host_c1_extent attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected extents of operand 1 that fit 'tensor<?x4xf32>' and 1 symbols, found affine_map<()[s0] -> (s0, 5)> [C1]}}
  tgx.host "call" "f"(%x) into (%y) [s0] -> (s0, 4, s0, 5) : tensor<?x4xf32> into tensor<?x4xf32>
}

// -----

tgx.function @host_c3 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected a call with an output to have the kernel, found 0 outputs of a print [C3]}}
  tgx.host "print" "f"(%x) into () [s0] -> (s0, 4) {kernel = #tg.cuda_kernel<ptx = "">} : tensor<?x4xf32> into ()
}

// -----

tgx.function @host_c3_output attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected a call with an output to have the kernel, found 0 outputs of a call [C3]}}
  tgx.host "call" "f"(%x) into () [s0] -> (s0, 4) {kernel = #tg.cuda_kernel<ptx = "">} : tensor<?x4xf32> into ()
}

// -----

tgx.function @host_c2 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected one input and no output, found 1 and 1 [C2]}}
  tgx.host "print" "f"(%x) into (%y) [s0] -> (s0, 4, s0, 4) : tensor<?x4xf32> into tensor<?x4xf32>
}

// -----

tgx.function @host_c2_assert attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected an input of tensor<i1>, found 'tensor<?x4xf32>' [C2]}}
  tgx.host "assert" "f"(%x) into () [s0] -> (s0, 4) : tensor<?x4xf32> into ()
}

// -----

tgx.function @host_action attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{attribute 'action' failed to satisfy constraint: call, print or assert}}
  tgx.host "jump" "f"(%x) into () [s0] -> (s0, 4) : tensor<?x4xf32> into ()
}

// -----

tgx.function @host_c4 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected tgx.output to be written before it is read [C4]}}
  tgx.host "print" "f"(%y) into () [s0] -> (s0, 4) : tensor<?x4xf32> into ()
}

// -----

tgx.function @host_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected to write outputs, variables and workspaces, found tgx.input [C5]}}
  tgx.host "call" "f"() into (%x) [s0] -> (s0, 4) : into tensor<?x4xf32>
}

// -----

tgx.function @host_c5_twice attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected outputs in different memory, found output 1 in the memory of another [C5]}}
  tgx.host "call" "f"() into (%y, %y) [s0] -> (s0, 4, s0, 4) : into tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

tgx.function @host_c5_part attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  %p = tgx.part %y along 1 at 0 : tensor<?x4xf32> -> tensor<?x2xf32>
  // expected-error @+1 {{expected whole buffers, found a part [C5]}}
  tgx.host "call" "f"() into (%p) [s0] -> (s0, 2) : into tensor<?x2xf32>
}

// -----

tgx.function @host_c6 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}],
    outputs = [{name = "y", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>}]} {
  %x = tgx.input 0 : tensor<?x4xf32>
  %y = tgx.output 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected operand 0 to have s0 * 32 bytes, found s0 * 16 [C6]}}
  tgx.host "call" "f"() into (%y) [s0] -> (s0 * 2, 4) : into tensor<?x4xf32>
}

// -----

tgx.function @measure_c1 attributes {
    role = "", symbols = ["n", "found extent 0"], found = affine_map<()[s0] -> (s0)>,
    computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xi64>, extents = affine_map<()[s0, s1] -> (s0)>},
              {name = "k", type = tensor<i64>, extents = affine_map<()[s0, s1] -> ()>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?xi64>
  %k = tgx.input 1 : tensor<i64>
  // expected-error @+1 {{expected a data-dependent symbol, found 0 [C1]}}
  tgx.measure %k as 0 at_most [s0, s1] -> (s0) {label = "R1", op_name = "tg.slice", what = "size"} : tensor<i64>
}

// -----

tgx.function @measure_c1_type attributes {
    role = "", symbols = ["n", "found extent 0"], found = affine_map<()[s0] -> (s0)>,
    computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xi64>, extents = affine_map<()[s0, s1] -> (s0)>},
              {name = "k", type = tensor<i64>, extents = affine_map<()[s0, s1] -> ()>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?xi64>
  %k = tgx.input 1 : tensor<i64>
  // expected-error @+1 {{expected a number of tensor<i64>, found 'tensor<?xi64>' [C1]}}
  tgx.measure %x as 1 at_most [s0, s1] -> (s0) {label = "R1", op_name = "tg.slice", what = "size"} : tensor<?xi64>
}

// -----

tgx.function @measure_c1_most attributes {
    role = "", symbols = ["n", "found extent 0"], found = affine_map<()[s0] -> (s0)>,
    computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xi64>, extents = affine_map<()[s0, s1] -> (s0)>},
              {name = "k", type = tensor<i64>, extents = affine_map<()[s0, s1] -> ()>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?xi64>
  %k = tgx.input 1 : tensor<i64>
  // expected-error @+1 {{expected the upper bound s0, found s0 * 2 [C1]}}
  tgx.measure %k as 1 at_most [s0, s1] -> (s0 * 2) {label = "R1", op_name = "tg.slice", what = "size"} : tensor<i64>
}

// -----

tgx.function @measure_c4 attributes {
    role = "", symbols = ["found extent 0"], found = affine_map<() -> (4)>,
    computed = affine_map<()[s0] -> ()>, inputs = [], outputs = []} {
  %k = tgx.workspace 0 [s0] -> (8) above [] : tensor<i64>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.measure %k as 0 at_most [s0] -> (4) {label = "R1", op_name = "tg.slice", what = "size"} : tensor<i64>
}
