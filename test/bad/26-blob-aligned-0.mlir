// expect: has alignment 0, expected a power of two of at most 4096 [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.constant dense_resource<r> : tensor<2xf32>
  return %y : tensor<2xf32>
}
{-# dialect_resources: { builtin: {
  r: "0x000000000000000000000000" // <- bad
} } #-}
