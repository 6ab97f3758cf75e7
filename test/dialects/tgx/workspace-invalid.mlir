// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// Buffers that are live at the same time must not overlap.

// The order of live buffers may be given indirectly, by way of other buffers.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @chain attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w0 = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  %w1 = tgx.workspace 1 [s0] -> (s0 * 4) above [0] : tensor<?xf32>
  %w2 = tgx.workspace 2 [s0] -> (s0 * 4) above [1] : tensor<?xf32>
  tgx.launch @relu(%x) into (%w0) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%w1) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w1) into (%w2) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w2) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// Buffers with disjoint lifetimes share memory.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @shared attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w0 = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  %w1 = tgx.workspace 1 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  tgx.launch @relu(%x) into (%w0) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%x) into (%w1) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w1) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// Constant offsets separate buffers that no `above` list relates.
"tgx.kernel"() <{sym_name = "fixed", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()
tgx.function @constant_offsets attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  %x = tgx.input 0 : tensor<4xf32>
  %y = tgx.output 0 : tensor<4xf32>
  %w0 = tgx.workspace 0 [] -> (16) above [] : tensor<4xf32>
  %w1 = tgx.workspace 1 [] -> (16) above [0] : tensor<4xf32>
  %w2 = tgx.workspace 2 [] -> (16) above [] : tensor<4xf32>
  %w3 = tgx.workspace 3 [] -> (16) above [2] : tensor<4xf32>
  tgx.launch @fixed(%x) into (%w0)  : tensor<4xf32> into tensor<4xf32>
  tgx.launch @fixed(%x) into (%w3)  : tensor<4xf32> into tensor<4xf32>
  tgx.launch @fixed(%w0) into (%y)  : tensor<4xf32> into tensor<4xf32>
  tgx.launch @fixed(%w3) into (%y)  : tensor<4xf32> into tensor<4xf32>
}

// -----

"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @workspace_c3 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w0 = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  // expected-error @+1 {{expected buffer 1 to lie above buffer 0, which is live at the same time [C3]}}
  %w1 = tgx.workspace 1 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  tgx.launch @relu(%x) into (%w0) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%w1) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w1) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// A buffer may be above one buffer and below another.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @workspace_c3_between attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w0 = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  %w1 = tgx.workspace 1 [s0] -> (s0 * 4) above [0] : tensor<?xf32>
  // expected-error @+1 {{expected buffer 2 to lie above buffer 1, which is live at the same time [C3]}}
  %w2 = tgx.workspace 2 [s0] -> (s0 * 4) above [0] : tensor<?xf32>
  tgx.launch @relu(%x) into (%w0) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%w2) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w2) into (%w1) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w1) into (%w2) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w0) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// A view keeps its buffer live.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @workspace_c3_view attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}]} {
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w0 = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  // expected-error @+1 {{expected buffer 1 to lie above buffer 0, which is live at the same time [C3]}}
  %w1 = tgx.workspace 1 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  %v = tgx.view %w0 : tensor<?xf32> -> tensor<?xf32>
  tgx.launch @relu(%x) into (%w0) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%x) into (%w1) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w1) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%v) into (%y) [s0] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

"tgx.kernel"() <{sym_name = "fixed", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()
tgx.function @workspace_c3_constant attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  %x = tgx.input 0 : tensor<4xf32>
  %y = tgx.output 0 : tensor<4xf32>
  %w0 = tgx.workspace 0 [] -> (16) above [] : tensor<4xf32>
  %w1 = tgx.workspace 1 [] -> (16) above [0] : tensor<4xf32>
  // expected-error @+1 {{expected buffer 2 to lie above buffer 1, which is live at the same time [C3]}}
  %w2 = tgx.workspace 2 [] -> (16) above [0] : tensor<4xf32>
  tgx.launch @fixed(%x) into (%w1)  : tensor<4xf32> into tensor<4xf32>
  tgx.launch @fixed(%w1) into (%w2)  : tensor<4xf32> into tensor<4xf32>
  tgx.launch @fixed(%w2) into (%y)  : tensor<4xf32> into tensor<4xf32>
}
