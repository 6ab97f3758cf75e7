// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// One function per constraint.

tgx.function @for_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  // expected-error @+1 {{expected count to be one number, found affine_map<()[s0] -> (s0, 4)> [C1]}}
  tgx.for [s0] -> (s0, 4) {
  }
}

// -----

tgx.function @for_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  tgx.for [s0] -> (s0) {
    // expected-error @+1 {{expected views, parts, elements, steps and entry checks in a loop or branch, found another op [C5]}}
    %q = tgx.input 1 : tensor<i1>
  }
}

// -----

tgx.function @while_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  // expected-error @+1 {{expected a flag of tensor<i1>, found 'tensor<?x4xf32>' [C1]}}
  tgx.while %x : tensor<?x4xf32> {
  }
}

// -----

tgx.function @while_c4 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.while %flag : tensor<i1> {
  }
}

// -----

tgx.function @while_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  tgx.while %p : tensor<i1> {
    // expected-error @+1 {{expected views, parts, elements, steps and entry checks in a loop or branch, found another op [C5]}}
    %q = tgx.input 1 : tensor<i1>
  }
}

// -----

tgx.function @if_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  // expected-error @+1 {{expected a flag of tensor<i1>, found 'tensor<?x4xf32>' [C1]}}
  tgx.if %x : tensor<?x4xf32> {
  } else {
  }
}

// -----

tgx.function @if_c4 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  %c = tgx.constant dense<0.0> : tensor<4xf32> -> tensor<4xf32>
  tgx.if %p : tensor<i1> {
    tgx.copy %c to %a [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
  } else {
    tgx.copy %c to %b [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
  }
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.copy %a to %y [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
}

// -----

tgx.function @if_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  tgx.if %p : tensor<i1> {
    // expected-error @+1 {{expected views, parts, elements, steps and entry checks in a loop or branch, found another op [C5]}}
    %q = tgx.input 1 : tensor<i1>
  } else {
  }
}

// -----

tgx.function @element_c1 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  // expected-error @+1 {{expected an element of 'tensor<?x4xf32>' in a loop, found 'tensor<4xf32>' [C1]}}
  %e = tgx.element %x [s0] -> (16) : tensor<?x4xf32> -> tensor<4xf32>
}

// -----

tgx.function @element_c2 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  tgx.for [s0] -> (s0) {
    // expected-error @+1 {{expected the source to have s0 * 20 bytes, found s0 * 16 [C2]}}
    %e = tgx.element %x [s0] -> (20) : tensor<?x4xf32> -> tensor<4xf32>
  }
}

// -----

tgx.function @swap_c4 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  %c = tgx.constant dense<0.0> : tensor<4xf32> -> tensor<4xf32>
  tgx.copy %c to %a [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
  // expected-error @+1 {{expected tgx.workspace to be written before it is read [C4]}}
  tgx.swap %a, %b : tensor<4xf32>
}

// -----

tgx.function @swap_c5 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?x4xf32>, extents = affine_map<()[s0] -> (s0, 4)>},
              {name = "p", type = tensor<i1>, extents = affine_map<()[s0] -> ()>}],
    outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<()[s0] -> (4)>}]} {
  %a = tgx.workspace 0 [s0] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<4xf32>
  %flag = tgx.workspace 2 [s0] -> (1) above [1] : tensor<i1>
  %x = tgx.input 0 : tensor<?x4xf32>
  %p = tgx.input 1 : tensor<i1>
  %y = tgx.output 0 : tensor<4xf32>
  %c = tgx.constant dense<0.0> : tensor<4xf32> -> tensor<4xf32>
  tgx.copy %c to %a [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
  tgx.copy %c to %y [s0] -> (16) : tensor<4xf32> to tensor<4xf32>
  // expected-error @+1 {{expected two workspaces, found tgx.workspace and tgx.output [C5]}}
  tgx.swap %a, %y : tensor<4xf32>
}

// -----

tgx.function @swap_c2 attributes {
    role = "", symbols = ["n"], computed = affine_map<()[s0] -> ()>,
    inputs = [{name = "x", type = tensor<?xf32>, extents = affine_map<()[s0] -> (s0)>}], outputs = []} {
  %a = tgx.workspace 0 [s0] -> (s0 * 4) above [] : tensor<?xf32>
  %b = tgx.workspace 1 [s0] -> (16) above [0] : tensor<?xf32>
  %x = tgx.input 0 : tensor<?xf32>
  %c = tgx.constant dense<0.0> : tensor<4xf32> -> tensor<4xf32>
  tgx.copy %x to %a [s0] -> (s0 * 4) : tensor<?xf32> to tensor<?xf32>
  tgx.copy %c to %b [s0] -> (16) : tensor<4xf32> to tensor<?xf32>
  // expected-error @+1 {{expected both to have 16 bytes, found s0 * 4 [C2]}}
  tgx.swap %a, %b : tensor<?xf32>
}

// -----

// Swapped buffers are live at the same time, also after the loop.

tgx.function @workspace_c3_swap attributes {
    role = "", symbols = [], computed = affine_map<() -> ()>,
    inputs = [], outputs = [{name = "y", type = tensor<4xf32>, extents = affine_map<() -> (4)>}]} {
  %a = tgx.workspace 0 [] -> (16) above [] : tensor<4xf32>
  %b = tgx.workspace 1 [] -> (16) above [0] : tensor<4xf32>
  // expected-error @+1 {{expected buffer 2 to lie above buffer 1, which is live at the same time [C3]}}
  %d = tgx.workspace 2 [] -> (16) above [0] : tensor<4xf32>
  %y = tgx.output 0 : tensor<4xf32>
  %c = tgx.constant dense<0.0> : tensor<4xf32> -> tensor<4xf32>
  tgx.copy %c to %a [] -> (16) : tensor<4xf32> to tensor<4xf32>
  tgx.for [] -> (3) {
    tgx.copy %c to %b [] -> (16) : tensor<4xf32> to tensor<4xf32>
    tgx.swap %a, %b : tensor<4xf32>
  }
  tgx.copy %c to %d [] -> (16) : tensor<4xf32> to tensor<4xf32>
  tgx.copy %d to %y [] -> (16) : tensor<4xf32> to tensor<4xf32>
  tgx.copy %a to %y [] -> (16) : tensor<4xf32> to tensor<4xf32>
}
