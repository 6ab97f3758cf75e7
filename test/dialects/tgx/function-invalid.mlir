// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// One function per constraint of a function's signature and body.

// expected-error @+1 {{expected the role init, train, test or "", found 'predict' [C1]}}
tgx.function @function_c1 attributes {
    role = "predict", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected symbols of different names, found 'n' twice [C2]}}
tgx.function @function_c2_names attributes {
    role = "", symbols = ["n", "n"], computed = affine_map<()[s0, s1] -> ()>,
    inputs = [],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected 'computed' to be a map over the symbols that are not computed, with one result per computed symbol, of 1 symbols in all}}
tgx.function @function_c2_computed attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> (s0)>,
    inputs = [],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected {extents, name, type} of each input and output, found {name}}
tgx.function @function_c3_entry attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected values of different names, found 'x' twice [C3]}}
tgx.function @function_c3_twice attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}, {name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected extents of 'x' that fit 'tensor<4xf32>' and 0 symbols, found affine_map<() -> (5)> [C3]}}
tgx.function @function_c3_extents attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (5)>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected 'x' to be a ranked tensor}}
tgx.function @function_g1 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [{name = "x", type = f32, extents = affine_map<() -> ()>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected extents of inputs to be constants or symbols, found s0 * 2 [C4]}}
tgx.function @function_c4_input attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0 * 2)>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected an input to have the extent "n" [C4]}}
tgx.function @function_c4_unbound attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}],
    outputs = []} {

}

// -----

// expected-error @+1 {{expected extents of outputs to be constants, symbols or results of 'computed', found s0 * 2 [C4]}}
tgx.function @function_c4_output attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = [{name = "y", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0 * 2)>}]} {

}

// -----

tgx.function @function_c5_op attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>, inputs = [], outputs = []} {
  // expected-error @+1 {{expected buffers, steps and entry checks in a function, found another op [C5]}}
  %c = tg.constant dense<1.0> : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a body without arguments, found 1 [C5]}}
tgx.function @function_c5_argument attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>, inputs = [], outputs = []} {
^bb0(%x: tensor<4xf32>):
}

// -----

tgx.function @function_c5_map attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}],
    outputs = []} {
  // expected-error @+1 {{expected 'bytes' to be over 1 symbols, found affine_map<() -> (16)> [C5]}}
  %w = tgx.workspace 0 [] -> (16) above [] : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected output 0 to be written, found no step that writes it [C6]}}
tgx.function @function_c6 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  %y = tgx.output 0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected an alignment that is a power of two and at least 64, found 96 [C7]}}
tgx.function @function_c7 attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>, alignment = 96 : i64,
    inputs = [], outputs = []} {
}

// -----

// expected-error @+1 {{expected 'tgx.target' to be a #tgx.target of a module, found 3 : i64}}
module attributes {tgx.target = 3} {}

// -----

// expected-error @+1 {{expected 'found' to be a map over the 1 symbols that inputs bind, found affine_map<() -> (4)> [C2]}}
tgx.function @function_c2_found attributes {
    role = "", symbols = ["n", "found extent 0"], found = affine_map<() -> (4)>,
    computed = affine_map<()[s0, s1] -> ()>,
    inputs = [{name = "x", type = tensor<?xi64>, extents = affine_map<()[s0, s1] -> (s0)>}], outputs = []} {
}
