// expect: error: expected hex string blob for key 'r'
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.constant dense_resource<r> : tensor<2xf32>
  return %y : tensor<2xf32>
}
{-# dialect_resources: { builtin: {
  r: "0x04000000zz" // <- bad
} } #-}
