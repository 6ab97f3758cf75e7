// RUN: tgc-opt %s --tg-infer-shapes="dims=n=3" --split-input-file --verify-diagnostics

// The extents conflict only because of the bound number.
func.func @bound_number_does_not_fit(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %y: tensor<4xf32> {tg.name = "y"}) -> (tensor<4xf32> {tg.name = "z"}) {
  // expected-error @+1 {{'tg.add' op expected extents 3 and 4 of result dim 0 to be equal or 1, found shapes [3] and [4] [C2]}}
  %z = tg.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @number_of_an_input_is_no_extent(%n: tensor<i64> {tg.name = "count"}) -> (tensor<?xi64> {tg.name = "y"}) {
  // expected-error @+1 {{'tg.iota' op expected the extent of result 0 on dim 0 to follow from those of the inputs or to have a bound, found a number that is not known at entry: tg.ensure_shape (ensureShape in C++) with bounds gives one [R0]}}
  %y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// -----

module {
  tg.variable @count : tensor<i64>
  func.func @number_of_a_variable_is_no_extent() -> (tensor<?xi64> {tg.name = "y"}) {
    %n = tg.read @count : tensor<i64>
    // expected-error @+1 {{is not known at entry: tg.ensure_shape}}
    %y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
    return %y : tensor<?xi64>
  }
}

// -----

func.func @extents_that_never_are_equal(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "y"}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %longer = tg.pad %x, %zero {high = [1], low = [0]} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  // expected-error @+1 {{'tg.add' op expected operand dim 0 (m) to equal m + 1 [R0]}}
  %y = tg.add %longer, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @result_extent_is_not_its_namesake(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["m"]}) -> (tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) {
  %zero = tg.constant dense<0.0> : tensor<f32>
  %y = tg.pad %x, %zero {high = [1], low = [0]} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  // expected-error @+1 {{expected result 'y' dim 0 (m + 1) to equal m [R0]}}
  return %y : tensor<?xf32>
}

// -----

func.func @negative_number(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<?xi64> {tg.name = "y"}) {
  %n = tg.constant dense<-2> : tensor<i64>
  // expected-error @+1 {{'tg.iota' op expected a dynamic size of at least 0, found -2 [R0]}}
  %y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// -----

func.func @gather_r1(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<2xf32> {tg.name = "y"}) {
  %i = tg.constant dense<[0, 4]> : tensor<2xi32>
  // expected-error @+1 {{'tg.gather' op expected indices in [0, 4), found 4 at element 1 [R1]}}
  %y = tg.gather %x, %i : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// Only a static extent of 1 is broadcast: the kernel does not read past the
// only element of %x.
func.func @unknown_extent_is_not_broadcast(%x: tensor<1xf32> {tg.name = "x"}, %y: tensor<5xf32> {tg.name = "y"}) -> (tensor<5xf32> {tg.name = "z"}) {
  %u = tg.ensure_shape %x {shape = [-1]} : (tensor<1xf32>) -> tensor<?xf32>
  // expected-error @+1 {{'tg.add' op expected operand dim 0 (5) to equal 1 [R0]}}
  %z = tg.add %u, %y : (tensor<?xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %z : tensor<5xf32>
}
