"tgx.kernel"() <{sym_name = "k", strategy = 0 : i32,
    argument_extents = [affine_map<() -> (4)>], argument_sizes = [unit], symbol_count = 0 : i64}> ({
^bb0(%x: tensor<4xf32>):
  %y = tg.relu %x : tensor<4xf32>
}) : () -> ()
