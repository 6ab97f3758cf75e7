// expect: error:
// expect: [M3]
// expect: [M3]
tg.variable @w : tensor<f32>
