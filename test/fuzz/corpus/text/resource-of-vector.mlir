// expect: error: 'tg.constant' op expected the value to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found
// expect: [G1]
func.func @f() -> (tensor<f32> {tg.name = "result"}) {
  %x = tg.constant dense_resource<r> : tensor<2xvector<2xf32>> // <- bad
  %y = tg.constant dense<0.0> : tensor<f32>
  return %y : tensor<f32>
}
{-# dialect_resources: { builtin: {
  r: "0x0400000000000000"
} } #-}
