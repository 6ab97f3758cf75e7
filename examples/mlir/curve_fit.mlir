module @curve_fit {
  tg.variable @w {trainable} : tensor<3x1xf32>
  tg.variable @w_m {slot_of = @w} : tensor<3x1xf32>
  tg.variable @w_v {slot_of = @w} : tensor<3x1xf32>
  tg.variable @step : tensor<i64>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    // glorot uniform: limit sqrt(6 / (3 + 1))
    %limit = tg.constant dense<1.22474492> : tensor<f32>
    %two = tg.constant dense<2.0> : tensor<f32>
    %one = tg.constant dense<1.0> : tensor<f32>
    %u0 = tg.random_uniform %seed, %zero {shape = [3, 1], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<3x1xf32>
    %u1 = tg.mul %u0, %two : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
    %u2 = tg.sub %u1, %one : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
    %w_0 = tg.mul %u2, %limit : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
    tg.assign @w, %w_0 : tensor<3x1xf32>
    tg.assign @step, %zero : tensor<i64>
    return
  }

  func.func @train(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %y: tensor<?xf32> {tg.name = "y", tg.dims = ["n"]},
                   %rate: tensor<f32> {tg.name = "learning_rate"})
      -> (tensor<f32> {tg.name = "loss"}, tensor<3x1xf32> {tg.name = "w"}) attributes {tg.role = "train"} {
    %w = tg.read @w : tensor<3x1xf32>
    %step = tg.read @step : tensor<i64>
    // columns x^2, x, 1
    %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
    %unit = tg.constant dense<1.0> : tensor<f32>
    %square = tg.mul %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %f0 = tg.reshape %square {shape = [-1, 1]} : (tensor<?xf32>) -> tensor<?x1xf32>
    %f1 = tg.reshape %x {shape = [-1, 1]} : (tensor<?xf32>) -> tensor<?x1xf32>
    %f2 = tg.broadcast_to %unit, %n {shape = [-1, 1]} : (tensor<f32>, tensor<i64>) -> tensor<?x1xf32>
    %f = tg.concat %f0, %f1, %f2 {axis = 1} : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
    %p0 = tg.matmul %f, %w : (tensor<?x3xf32>, tensor<3x1xf32>) -> tensor<?x1xf32>
    %p = tg.reshape %p0 {shape = [-1]} : (tensor<?x1xf32>) -> tensor<?xf32>
    // loss = l2_loss(p - y) + 0.1 * l2_loss(w), l2_loss(t) = sum(t * t) / 2
    %half = tg.constant dense<0.5> : tensor<f32>
    %decay = tg.constant dense<0.05> : tensor<f32>
    %e = tg.sub %p, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %e2 = tg.mul %e, %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %e_sum = tg.reduce_sum %e2 : (tensor<?xf32>) -> tensor<f32>
    %l0 = tg.mul %e_sum, %half : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %w2 = tg.mul %w, %w : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %w_sum = tg.reduce_sum %w2 : (tensor<3x1xf32>) -> tensor<f32>
    %l1 = tg.mul %w_sum, %decay : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %loss = tg.add %l0, %l1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3x1xf32>
    %beta1 = tg.constant dense<0.9> : tensor<f32>
    %beta1_rest = tg.constant dense<0.1> : tensor<f32>
    %beta2 = tg.constant dense<0.999> : tensor<f32>
    %beta2_rest = tg.constant dense<0.001> : tensor<f32>
    %epsilon = tg.constant dense<1.0e-8> : tensor<f32>
    %one_f = tg.constant dense<1.0> : tensor<f32>
    %one_i = tg.constant dense<1> : tensor<i64>
    %step1 = tg.add %step, %one_i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tg.assign @step, %step1 : tensor<i64>
    %t = tg.cast %step1 {element_type = f32} : (tensor<i64>) -> tensor<f32>
    %p1 = tg.pow %beta1, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c1 = tg.sub %one_f, %p1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %p2 = tg.pow %beta2, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c2 = tg.sub %one_f, %p2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c2_root = tg.sqrt %c2 : tensor<f32>
    %rate_up = tg.mul %rate, %c2_root : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %rate_t = tg.div %rate_up, %c1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.update [[@w, @w_m, @w_v]] inputs(%g) : (tensor<3x1xf32>) -> () {
    ^bb0(%weight: tensor<f32>, %m0: tensor<f32>, %v0: tensor<f32>, %grad: tensor<f32>):
      %m1 = tg.mul %m0, %beta1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m2 = tg.mul %grad, %beta1_rest : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m3 = tg.add %m1, %m2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v1 = tg.mul %v0, %beta2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v2 = tg.mul %grad, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v3 = tg.mul %v2, %beta2_rest : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v4 = tg.add %v1, %v3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d0 = tg.sqrt %v4 : tensor<f32>
      %d1 = tg.add %d0, %epsilon : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d2 = tg.div %m3, %d1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d3 = tg.mul %d2, %rate_t : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %new = tg.sub %weight, %d3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %new, %m3, %v4 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    %w_new = tg.read @w : tensor<3x1xf32>
    return %loss, %w_new : tensor<f32>, tensor<3x1xf32>
  }
}
