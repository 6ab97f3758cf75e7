
func.func @add_g1(%a: tensor<4xf16>) {
    tg.yield %less : tensor<f32>
  // expected-error @+1 {{expected operand 0 to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found 'tensor<4xf16>' [G1]}}
  tg.update [[@w]] : () -> () {
  ^bb0(%weight: tensor<f32>):
    %less = tg.neg %weight : tensor<f32>
  tg.variable @w1_m {slot_of = @w1} : tensor<784x100xf32>
  tg.variable @w1_v {slot_of = @w1} : tensor<784x100xf32>
  ^bb0(%weight: tensor(f32>):
  tg.variable @b1_m {slot_of = @b1} : tensor<100xf32>
  tg.variable @b1_v {slot_of = @b1} : tensor<100xf32>
  tg.variable @w2_m {slot_of = @w2} : tensor<100x10xf32>
  tg.variable @w2_v {slot_of = @w2} : tensor<100x10xf32>
  tg.variable @b2_v {slot_of = @b2} : tensor<10xf32>
  tg.variable @step : tensor<i64>
  tg.variable @seed : tensor<i64>

    %zero = tg.constant dense<0> : tensor<i64>
    return
  }
}

