// RUN: tgc-opt %s --split-input-file --verify-diagnostics

// Constraints of kernel calls and of the other ops outside of scheduled
// functions.

func.func @call_c1(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected @missing to name a kernel [C1]}}
  %y = tgx.call @missing(%x)  : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
func.func @call_c2_count() {
  // expected-error @+1 {{expected 1 inputs, found 0 [C2]}}
  %y = tgx.call @k() [s0] -> (s0) : () -> tensor<?x4xf32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
func.func @call_c2_type(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{expected input 0 to be 'tensor<?x4xf32>', found 'tensor<4x5xf32>' [C2]}}
  %y = tgx.call @k(%x) [] -> (4) : (tensor<4x5xf32>) -> tensor<?x4xf32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
func.func @call_c2_output(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{expected output 0 to be 'tensor<?x4xf32>', found 'tensor<?x4xi32>' [C2]}}
  %y = tgx.call @k(%x) [s0] -> (s0) : (tensor<?x4xf32>) -> tensor<?x4xi32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
func.func @call_c3_count(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{expected extents for 1 symbols of @k, found affine_map<() -> ()> [C3]}}
  %y = tgx.call @k(%x)  : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<()[s0] -> (s0, 4)>], argument_sizes = [unit], symbol_count = 1 : i64}> ({
^bb0(%x: tensor<?x4xf32>):
  %y = tg.relu %x : tensor<?x4xf32>
  tgx.yield %y : tensor<?x4xf32>
}) : () -> ()
func.func @call_c3_dims(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{expected extents to be numbers over symbols, found affine_map<(d0) -> (d0)> [C3]}}
  %y = "tgx.call"(%x) <{kernel = @k, extents = affine_map<(d0) -> (d0)>}> : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

"tgx.kernel"() <{sym_name = "check_index_c1", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%i: tensor<4xi32>):
  // expected-error @+1 {{expected the bound to be one number, found affine_map<() -> (4, 4)> [C1]}}
  %y = tgx.check_index %i below [] -> (4, 4) {op_name = "tg.gather"} : tensor<4xi32>
  tgx.yield %y : tensor<4xi32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "check_index_type", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%i: tensor<4xf32>):
  // expected-error @+1 {{must be}}
  %y = tgx.check_index %i below [] -> (4) {op_name = "tg.gather"} : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "check_divisor_type", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%i: tensor<4xf32>):
  // expected-error @+1 {{must be}}
  %y = tgx.check_divisor %i {op_name = "tg.div"} : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()

// -----

"tgx.kernel"() <{sym_name = "size_c1", strategy = 0 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  // expected-error @+1 {{expected the value to be numbers over symbols, found affine_map<(d0) -> (d0)> [C1]}}
  %n = "tgx.size"() <{value = affine_map<(d0) -> (d0)>}> : () -> tensor<i64>
  %y = tgx.materialize %n : tensor<i64>
  tgx.yield %y : tensor<i64>
}) : () -> ()

// -----

func.func @pack_c1(%w: tensor<?x4xf32>) {
  // expected-error @+1 {{expected static extents and a rank of at least 2, found 'tensor<?x4xf32>' [C1]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<?x4xf32>) -> tensor<1x4x64xf32>
  return
}

// -----

func.func @pack_c1_layout(%w: tensor<4x40xf32>) {
  // expected-error @+1 {{expected columns along one of axes 0 to 1 and a width of at least 1, found #cpu.panels<axis = 2, width = 64> [C1]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 2, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf32>
  return
}

// -----

func.func @pack_c1_filter(%w: tensor<3x5x4x16xf32>) {
  // expected-error @+1 {{expected a filter of 3x3 and static extents, found 'tensor<3x5x4x16xf32>' [C1]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 3, width = 16, winograd = 4>) : (tensor<3x5x4x16xf32>) -> tensor<36x1x4x16xf32>
  return
}

// -----

func.func @pack_c1_filter_layout(%w: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expected columns along one of axes 2 to 3 and a width of at least 1, found #cpu.panels<axis = 1, width = 16, winograd = 4> [C1]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 16, winograd = 4>) : (tensor<3x3x4x16xf32>) -> tensor<36x1x4x16xf32>
  return
}

// -----

func.func @pack_c1_filter_tiles(%w: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expected tiles of 4 or 2 positions along an axis, found #cpu.panels<axis = 3, width = 16, winograd = 3> [C1]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 3, width = 16, winograd = 3>) : (tensor<3x3x4x16xf32>) -> tensor<25x1x4x16xf32>
  return
}

// -----

func.func @pack_c2_filter(%w: tensor<3x3x4x40xf32>) {
  // expected-error @+1 {{expected a packed form of type 'tensor<36x3x4x16xf32>', found 'tensor<36x1x4x16xf32>' [C2]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 3, width = 16, winograd = 4>) : (tensor<3x3x4x40xf32>) -> tensor<36x1x4x16xf32>
  return
}

// -----

func.func @unpack_c1(%p: tensor<1x4x64xf32>) {
  // expected-error @+1 {{expected static extents and a rank of at least 2, found 'tensor<?x40xf32>' [C1]}}
  %w = tgx.unpack %p as(#cpu.panels<axis = 1, width = 64>) : (tensor<1x4x64xf32>) -> tensor<?x40xf32>
  return
}

// -----

func.func @pack_c2(%w: tensor<40x4xf32>) {
  // expected-error @+1 {{expected a packed form of type 'tensor<1x40x64xf32>', found 'tensor<1x4x64xf32>' [C2]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<40x4xf32>) -> tensor<1x4x64xf32>
  return
}

// -----

func.func @pack_c2_type(%w: tensor<4x40xf32>) {
  // expected-error @+1 {{expected a packed form of type 'tensor<1x4x64xf32>', found 'tensor<1x4x64xf64>' [C2]}}
  %p = tgx.pack %w as(#cpu.panels<axis = 1, width = 64>) : (tensor<4x40xf32>) -> tensor<1x4x64xf64>
  return
}

// -----

func.func @unpack_c2(%p: tensor<2x4x64xf32>) {
  // expected-error @+1 {{expected a packed form of type 'tensor<1x4x64xf32>', found 'tensor<2x4x64xf32>' [C2]}}
  %w = tgx.unpack %p as(#cpu.panels<axis = 1, width = 64>) : (tensor<2x4x64xf32>) -> tensor<4x40xf32>
  return
}

// -----

func.func @entry_check_c1() {
  // expected-error @+1 {{expected found to be one number, found affine_map<() -> ()> [C1]}}
  tgx.entry_check "n"  expected [] -> (3) {op_name = "tg.add"}
  return
}

// -----

func.func @entry_check_c1_symbols() {
  // expected-error @+1 {{expected 'expected' to be over 1 symbols, found affine_map<() -> (3)> [C1]}}
  tgx.entry_check "n" [s0] -> (s0) expected [] -> (3) {op_name = "tg.add"}
  return
}

// -----

func.func @first_equal_c1(%i: tensor<2x3xi32>) {
  // expected-error @+1 {{expected indices of rank 1 and a result of i64 with their extent, found 'tensor<2x3xi32>' and 'tensor<2x3xi64>' [C1]}}
  %f = tgx.first_equal %i : (tensor<2x3xi32>) -> tensor<2x3xi64>
  return
}

// -----

func.func @first_equal_c1_extent(%i: tensor<3xi32>) {
  // expected-error @+1 {{expected indices of rank 1 and a result of i64 with their extent, found 'tensor<3xi32>' and 'tensor<4xi64>' [C1]}}
  %f = tgx.first_equal %i : (tensor<3xi32>) -> tensor<4xi64>
  return
}

// -----

func.func @count_true_c1(%p: tensor<200x100xi1>) {
  // expected-error @+1 {{expected a number for each part, 'tensor<2xi64>', found 'tensor<1xi64>' [C1]}}
  %n = tgx.count_true %p : (tensor<200x100xi1>) -> tensor<1xi64>
  return
}

// -----

func.func @list_true_c1(%p: tensor<?x100xi1>, %s: tensor<?xi32>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a number for each part, 'tensor<?xi64>', found 'tensor<?xi32>' [C1]}}
  %y = tgx.list_true %p from %s count %n : (tensor<?x100xi1>, tensor<?xi32>, tensor<i64>) -> tensor<?x2xi64>
  return
}

// -----

func.func @list_true_c2(%p: tensor<?x100xi1>, %s: tensor<?xi64>, %n: tensor<i64>) {
  // expected-error @+1 {{expected coordinates of i64 for each dimension of 'tensor<?x100xi1>', found 'tensor<?x3xi64>' [C2]}}
  %y = tgx.list_true %p from %s count %n : (tensor<?x100xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x3xi64>
  return
}

// -----

func.func @list_true_c2_rank(%p: tensor<i1>, %s: tensor<1xi64>, %n: tensor<i64>) {
  // expected-error @+1 {{expected coordinates of i64 for each dimension of 'tensor<i1>', found 'tensor<?x0xi64>' [C2]}}
  %y = tgx.list_true %p from %s count %n : (tensor<i1>, tensor<1xi64>, tensor<i64>) -> tensor<?x0xi64>
  return
}

// -----

func.func @take_true_c1(%x: tensor<?xf32>, %p: tensor<?xi1>, %s: tensor<?xi32>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a number for each part, 'tensor<?xi64>', found 'tensor<?xi32>' [C1]}}
  %y = tgx.take_true %x where %p from %s count %n : (tensor<?xf32>, tensor<?xi1>, tensor<?xi32>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @take_true_c2_extent(%x: tensor<9xf32>, %p: tensor<8xi1>, %s: tensor<1xi64>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a result with some elements of 'tensor<9xf32>' and a mask with its extent, found 'tensor<?xf32>' and 'tensor<8xi1>' [C2]}}
  %y = tgx.take_true %x where %p from %s count %n : (tensor<9xf32>, tensor<8xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @take_true_c2_rank(%x: tensor<9x2xf32>, %p: tensor<9x2xi1>, %s: tensor<1xi64>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a result with some elements of 'tensor<9x2xf32>' and a mask with its extent, found 'tensor<?x2xf32>' and 'tensor<9x2xi1>' [C2]}}
  %y = tgx.take_true %x where %p from %s count %n : (tensor<9x2xf32>, tensor<9x2xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?x2xf32>
  return
}

// -----

func.func @take_true_c2_type(%x: tensor<9xf32>, %p: tensor<9xi1>, %s: tensor<1xi64>, %n: tensor<i64>) {
  // expected-error @+1 {{expected a result with some elements of 'tensor<9xf32>' and a mask with its extent, found 'tensor<?xf64>' and 'tensor<9xi1>' [C2]}}
  %y = tgx.take_true %x where %p from %s count %n : (tensor<9xf32>, tensor<9xi1>, tensor<1xi64>, tensor<i64>) -> tensor<?xf64>
  return
}
