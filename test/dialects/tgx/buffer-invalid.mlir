// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// One function per constraint of a buffer.

tgx.function @input_c1_index attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {
  // expected-error @+1 {{expected an index below 1, found 1 [C1]}}
  %x = tgx.input 1 : tensor<4xf32>
}

// -----

tgx.function @input_c1_type attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {
  // expected-error @+1 {{expected the type of value 0, 'tensor<4xf32>', found 'tensor<2x2xf32>' [C1]}}
  %x = tgx.input 0 : tensor<2x2xf32>
}

// -----

tgx.function @input_c1_twice attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<4xf32>
  // expected-error @+1 {{expected one op for each buffer, found a second one for 0 : i64 [C1]}}
  %z = tgx.input 0 : tensor<4xf32>
}

// -----

tgx.function @output_c1_index attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  // expected-error @+1 {{expected an index below 1, found -1 [C1]}}
  %x = tgx.output -1 : tensor<4xf32>
}

// -----

tgx.function @output_c1_type attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  // expected-error @+1 {{expected the type of value 0, 'tensor<4xf32>', found 'tensor<4xi32>' [C1]}}
  %x = tgx.output 0 : tensor<4xi32>
}

// -----

tgx.function @slab_c1 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected @w to name a variable [C1]}}
  %w = tgx.slab @w : tensor<4xf32>
}

// -----

tg.variable @w : tensor<2x2xf32>
tgx.function @slab_c1_type attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected the type of @w, 'tensor<2x2xf32>', found 'tensor<4xf32>' [C1]}}
  %w = tgx.slab @w : tensor<4xf32>
}

// -----

tgx.function @slab_c1_static attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected a static type, found 'tensor<?xf32>' [C1]}}
  %w = tgx.slab @w : tensor<?xf32>
}

// -----

tgx.function @constant_c1 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected a value of 'tensor<2xf32>', found 'tensor<4xf32>' [C1]}}
  %c = tgx.constant dense<1.0> : tensor<4xf32> -> tensor<2xf32>
}

// -----

tgx.function @constant_c1_sparse attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected dense<...> or dense_resource<...>}}
  %c = tgx.constant sparse<[[0]], [1.0]> : tensor<4xf32> -> tensor<4xf32>
}

// -----

tgx.function @workspace_c1_id attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected buffers to be numbered in order, found id 1 after 0 others [C1]}}
  %w = tgx.workspace 1 [] -> (16) above [] : tensor<4xf32>
}

// -----

tgx.function @workspace_c1_above attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected ids of buffers below 0 in ascending order, found 0 [C1]}}
  %w = tgx.workspace 0 [] -> (16) above [0] : tensor<4xf32>
}

// -----

tgx.function @workspace_c2 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected the size of 'tensor<4xf32>', found affine_map<() -> (8)> [C2]}}
  %w = tgx.workspace 0 [] -> (8) above [] : tensor<4xf32>
}

// -----

tgx.function @workspace_c2_negative attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected the size of 'tensor<?xf32>', found affine_map<() -> (-8)> [C2]}}
  %w = tgx.workspace 0 [] -> (-8) above [] : tensor<?xf32>
}

// -----

tgx.function @view_c1 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<4xf32>
  // expected-error @+1 {{expected elements of 'f32', found 'i32' [C1]}}
  %v = tgx.view %x : tensor<4xf32> -> tensor<4xi32>
}

// -----

tgx.function @view_c2 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<4xf32>
  // expected-error @+1 {{expected the memory to have 32 bytes, found 16 [C2]}}
  %v = tgx.view %x : tensor<4xf32> -> tensor<8xf32>
}

// -----

tgx.function @view_c2_unknown attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = []} {
  %x = tgx.input 0 : tensor<?xf32>
  // expected-error @+1 {{expected the memory to have 32 bytes, found s0 * 4 [C2]}}
  %v = tgx.view %x : tensor<?xf32> -> tensor<8xf32>
}

// -----

tg.variable @w : tensor<40x4xf32>
tgx.function @packed_c1 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected @k to name a kernel [C1]}}
  %w = tgx.packed @w by @k : tensor<1x40x64xf32>
}

// -----

tg.variable @w : tensor<4xf32>
"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()
tgx.function @packed_c2 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected a kernel of strategy custom, found loop [C2]}}
  %w = tgx.packed @w by @k : tensor<4xf32>
}

// -----

tg.variable @w : tensor<4xf32>
tgx.kernel @k loop(%x: tensor<4xf32>) {
  %y = tgx.check_finite %x {op_name = "tg.relu"} : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}
tgx.function @packed_c2_check attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {
  // expected-error @+1 {{expected a kernel without checks, found 2 predicates [C2]}}
  %w = tgx.packed @w by @k : tensor<4xf32>
}

// -----

tgx.function @part_c1_rank attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %y = tgx.output 0 : tensor<2x8xf32>
  // expected-error @+1 {{expected 'tensor<8xf32>' to be a part of 'tensor<2x8xf32>' along axis 1, with static extents from there on [C1]}}
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<8xf32>
}

// -----

tgx.function @part_c1_part attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{expected the source to be an earlier buffer, found a part [C1]}}
  %q = tgx.part %p along 1 at 0 : tensor<2x4xf32> -> tensor<2x2xf32>
}

// -----

tgx.function @view_c1_part attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{expected the source to be an earlier buffer, found a part [C1]}}
  %q = tgx.view %p : tensor<2x4xf32> -> tensor<8xf32>
}

// -----

tgx.function @part_c2 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %y = tgx.output 0 : tensor<2x8xf32>
  // expected-error @+1 {{expected 4 indices from 5 on to be within the extent, found an extent of 8 [C2]}}
  %p = tgx.part %y along 1 at 5 : tensor<2x8xf32> -> tensor<2x4xf32>
}

// -----

tgx.function @part_c3 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<2x4xf32>, extents = affine_map<() -> (2, 4)>}],
    outputs = [{name = "y", type = tensor<2x8xf32>, extents = affine_map<() -> (2, 8)>}]} {
  %y = tgx.output 0 : tensor<2x8xf32>
  %p = tgx.part %y along 1 at 0 : tensor<2x8xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{expected parts of tgx.output along one axis, of sources with equal extents [C3]}}
  %q = tgx.part %y along 0 at 0 : tensor<2x8xf32> -> tensor<1x8xf32>
}
