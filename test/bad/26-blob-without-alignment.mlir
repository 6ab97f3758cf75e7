// expect: has 4 hexadecimal digits, expected at least 8 for its alignment [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.constant dense_resource<r> : tensor<2xf32>
  return %y : tensor<2xf32>
}
{-# dialect_resources: { builtin: {
  r: "0x0400" // <- bad
} } #-}
