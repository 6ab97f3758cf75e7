// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// Sizes that are equal for all extents.

// An entry check proves the sizes equal.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @checked attributes {
    role = "", symbols = ["n", "m"], computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s1)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s0)>}]} {
  tgx.entry_check "z dim 0" [s0, s1] -> (s1) expected [s0, s1] -> (s0) {op_name = "tg.add"}
  %z = tgx.input 1 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.launch @relu(%z) into (%y) [s0, s1] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// Rows of three are regrouped as rows of ten, then by four; an entry check for
// each proves that no elements remain.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @divided attributes {
    role = "", symbols = ["n", "y.0"], computed = affine_map<()[s0] -> (s0 * 3)>,
    inputs = [{name = "x", type = tensor<?x3xf32>, extents = affine_map<()[s0] -> (s0, 3)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0 * 3)>}]} {
  tgx.entry_check "elements" [s0] -> (s0 * 3) expected [s0] -> (((s0 * 3) floordiv 10) * 10) {op_name = "tg.reshape"}
  tgx.entry_check "elements" [s0] -> (((s0 * 3) floordiv 10) * 10) expected [s0] -> (((((s0 * 3) floordiv 10) * 10) floordiv 4) * 4) {op_name = "tg.reshape"}
  %x = tgx.input 0 : tensor<?x3xf32>
  %y = tgx.output 0 : tensor<?xf32>
  %w = tgx.workspace 0 [s0] -> (((s0 * 3) floordiv 10) * 40) above [] : tensor<?xf32>
  %v = tgx.view %x : tensor<?x3xf32> -> tensor<?xf32>
  tgx.launch @relu(%v) into (%w) [s0] -> ((((((s0 * 3) floordiv 10) * 10) floordiv 4) * 4)) : tensor<?xf32> into tensor<?xf32>
  tgx.launch @relu(%w) into (%y) [s0] -> (s0 * 3) : tensor<?xf32> into tensor<?xf32>
}

// -----

// Only checks of equality prove sizes equal.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @launch_c6_at_most attributes {
    role = "", symbols = ["n", "m"], computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s1)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1] -> (s0)>}]} {
  tgx.entry_check "z dim 0" [s0, s1] -> (s1) expected at_most [s0, s1] -> (s0) {op_name = "tg.slice"}
  %z = tgx.input 1 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  // expected-error @+1 {{expected input 0 to have s0 * 4 bytes, found s1 * 4 [C6]}}
  tgx.launch @relu(%z) into (%y) [s0, s1] -> (s0) : tensor<?xf32> into tensor<?xf32>
}

// -----

// A check that cannot be solved leaves the equality of its extents open; other
// extents still count as different.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @unsolved attributes {
    role = "", symbols = ["n", "m", "k"], computed = affine_map<()[s0, s1, s2] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s2)>}, {name = "v", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s1)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s1)>}]} {
  tgx.entry_check "elements" [s0, s1, s2] -> (s0 * s0 + s0) expected [s0, s1, s2] -> (s1 * s1 + s1) {op_name = "tg.reshape"}
  %x = tgx.input 0 : tensor<?xf32>
  %z = tgx.input 1 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.launch @relu(%x) into (%y) [s0, s1, s2] -> (s1) : tensor<?xf32> into tensor<?xf32>
  // expected-error @+1 {{expected input 0 to have s1 * 4 bytes, found s2 * 4 [C6]}}
  tgx.launch @relu(%z) into (%y) [s0, s1, s2] -> (s1) : tensor<?xf32> into tensor<?xf32>
}

// -----

// A symbol that equals a symbol of an unsolvable check is as unknown as that
// symbol.
"tgx.kernel"() <{sym_name = "relu", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?xf32>):
  %y = tg.relu %x : tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}) : () -> ()
tgx.function @unsolved_indirectly attributes {
    role = "", symbols = ["n", "m", "k"], computed = affine_map<()[s0, s1, s2] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s0)>}, {name = "z", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s2)>}, {name = "v", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s1)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0, s1, s2] -> (s1)>}]} {
  tgx.entry_check "z dim 0" [s0, s1, s2] -> (s1) expected [s0, s1, s2] -> (s2) {op_name = "tg.add"}
  tgx.entry_check "elements" [s0, s1, s2] -> (s2 * s2 + s2) expected [s0, s1, s2] -> (s0 * s0 + s0) {op_name = "tg.reshape"}
  %x = tgx.input 0 : tensor<?xf32>
  %y = tgx.output 0 : tensor<?xf32>
  tgx.launch @relu(%x) into (%y) [s0, s1, s2] -> (s1) : tensor<?xf32> into tensor<?xf32>
}
