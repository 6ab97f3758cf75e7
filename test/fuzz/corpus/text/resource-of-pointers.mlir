// expect: error: expected ops, types and attributes of builtin, func and tg alone [M9]
func.func @f() -> (tensor<f32> {tg.name = "result"}) {
  %x = tg.constant dense_resource<r> : tensor<2x!llvm.ptr> // <- bad
  %y = tg.constant dense<0.0> : tensor<f32>
  return %y : tensor<f32>
}
{-# dialect_resources: { builtin: {
  r: "0x0400000000000000"
} } #-}
