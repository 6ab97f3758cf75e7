// expect: error: 'tgx.call' op expected ops of tg and tgx, or contractions, without regions, effects and symbols in a kernel [C4]
"tgx.kernel"() <{sym_name = "k", strategy = 3 : i32,
    argument_extents = [], argument_sizes = [], symbol_count = 0 : i64}> ({
  %y = tgx.call @k()  : () -> tensor<4xf32> // <- bad
  tgx.yield %y : tensor<4xf32>
}) : () -> ()
