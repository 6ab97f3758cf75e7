func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %a = tg.tanh %x : tensor<4xf32>
  %b = tg.mul %a, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %s0 = tg.reduce_sum %b : (tensor<4xf32>) -> tensor<f32>
  %g0 = tg.gradient %s0 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s1 = tg.reduce_sum %g0 : (tensor<4xf32>) -> tensor<f32>
  %g1 = tg.gradient %s1 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s2 = tg.reduce_sum %g1 : (tensor<4xf32>) -> tensor<f32>
  %g2 = tg.gradient %s2 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s3 = tg.reduce_sum %g2 : (tensor<4xf32>) -> tensor<f32>
  %g3 = tg.gradient %s3 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s4 = tg.reduce_sum %g3 : (tensor<4xf32>) -> tensor<f32>
  %g4 = tg.gradient %s4 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s5 = tg.reduce_sum %g4 : (tensor<4xf32>) -> tensor<f32>
  %g5 = tg.gradient %s5 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s6 = tg.reduce_sum %g5 : (tensor<4xf32>) -> tensor<f32>
  %g6 = tg.gradient %s6 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s7 = tg.reduce_sum %g6 : (tensor<4xf32>) -> tensor<f32>
  %g7 = tg.gradient %s7 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s8 = tg.reduce_sum %g7 : (tensor<4xf32>) -> tensor<f32>
  %g8 = tg.gradient %s8 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s9 = tg.reduce_sum %g8 : (tensor<4xf32>) -> tensor<f32>
  %g9 = tg.gradient %s9 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s10 = tg.reduce_sum %g9 : (tensor<4xf32>) -> tensor<f32>
  %g10 = tg.gradient %s10 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s11 = tg.reduce_sum %g10 : (tensor<4xf32>) -> tensor<f32>
  %g11 = tg.gradient %s11 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s12 = tg.reduce_sum %g11 : (tensor<4xf32>) -> tensor<f32>
  %g12 = tg.gradient %s12 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s13 = tg.reduce_sum %g12 : (tensor<4xf32>) -> tensor<f32>
  %g13 = tg.gradient %s13 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s14 = tg.reduce_sum %g13 : (tensor<4xf32>) -> tensor<f32>
  %g14 = tg.gradient %s14 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %s15 = tg.reduce_sum %g14 : (tensor<4xf32>) -> tensor<f32>
  %g15 = tg.gradient %s15 wrt(%x) {allow_unconnected} : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g15 : tensor<4xf32>
}
