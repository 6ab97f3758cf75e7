"tgx.kernel"() <{sym_name = "k", strategy = 3 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  %y = tgx.call @k()  : () -> tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}) : () -> ()
