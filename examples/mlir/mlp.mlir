module @mlp {
  tg.variable @w1 {trainable} : tensor<784x100xf32>
  tg.variable @b1 {trainable} : tensor<100xf32>
  tg.variable @w2 {trainable} : tensor<100x10xf32>
  tg.variable @b2 {trainable} : tensor<10xf32>
  tg.variable @w1_m {slot_of = @w1} : tensor<784x100xf32>
  tg.variable @w1_v {slot_of = @w1} : tensor<784x100xf32>
  tg.variable @b1_m {slot_of = @b1} : tensor<100xf32>
  tg.variable @b1_v {slot_of = @b1} : tensor<100xf32>
  tg.variable @w2_m {slot_of = @w2} : tensor<100x10xf32>
  tg.variable @w2_v {slot_of = @w2} : tensor<100x10xf32>
  tg.variable @b2_m {slot_of = @b2} : tensor<10xf32>
  tg.variable @b2_v {slot_of = @b2} : tensor<10xf32>
  tg.variable @step : tensor<i64>
  tg.variable @seed : tensor<i64>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    %stddev = tg.constant dense<0.1> : tensor<f32>
    %w1_z = tg.random_normal %seed, %zero {shape = [784, 100], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<784x100xf32>
    %w1_0 = tg.mul %w1_z, %stddev : (tensor<784x100xf32>, tensor<f32>) -> tensor<784x100xf32>
    tg.assign @w1, %w1_0 : tensor<784x100xf32>
    %w2_z = tg.random_normal %seed, %zero {shape = [100, 10], stream = 2} : (tensor<i64>, tensor<i64>) -> tensor<100x10xf32>
    %w2_0 = tg.mul %w2_z, %stddev : (tensor<100x10xf32>, tensor<f32>) -> tensor<100x10xf32>
    tg.assign @w2, %w2_0 : tensor<100x10xf32>
    %b1_0 = tg.constant dense<0.0> : tensor<100xf32>
    tg.assign @b1, %b1_0 : tensor<100xf32>
    %b2_0 = tg.constant dense<0.0> : tensor<10xf32>
    tg.assign @b2, %b2_0 : tensor<10xf32>
    tg.assign @step, %zero : tensor<i64>
    tg.assign @seed, %seed : tensor<i64>
    return
  }

  func.func @train(%x: tensor<?x784xf32> {tg.name = "x", tg.dims = ["batch", ""]},
                   %label: tensor<?xi32> {tg.name = "label", tg.dims = ["batch"]},
                   %rate: tensor<f32> {tg.name = "learning_rate"})
      -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {
    %w1 = tg.read @w1 : tensor<784x100xf32>
    %b1 = tg.read @b1 : tensor<100xf32>
    %w2 = tg.read @w2 : tensor<100x10xf32>
    %b2 = tg.read @b2 : tensor<10xf32>
    %step = tg.read @step : tensor<i64>
    %seed = tg.read @seed : tensor<i64>
    // hidden layer with dropout 0.2
    %h0 = tg.matmul %x, %w1 : (tensor<?x784xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
    %h1 = tg.add %h0, %b1 : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h2 = tg.relu %h1 : tensor<?x100xf32>
    %batch = tg.dim %x {axis = 0} : (tensor<?x784xf32>) -> tensor<i64>
    %u = tg.random_uniform %seed, %step, %batch {shape = [-1, 100], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x100xf32>
    %drop_rate = tg.constant dense<0.2> : tensor<f32>
    %keep_rate = tg.constant dense<0.8> : tensor<f32>
    %dropped = tg.constant dense<0.0> : tensor<f32>
    %keep = tg.compare ge, %u, %drop_rate : (tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xi1>
    %h3 = tg.div %h2, %keep_rate : (tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xf32>
    %h4 = tg.select %keep, %h3, %dropped : (tensor<?x100xi1>, tensor<?x100xf32>, tensor<f32>) -> tensor<?x100xf32>
    // output layer and mean loss
    %o0 = tg.matmul %h4, %w2 : (tensor<?x100xf32>, tensor<100x10xf32>) -> tensor<?x10xf32>
    %logits = tg.add %o0, %b2 : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    %losses = tg.softmax_cross_entropy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
    %total = tg.reduce_sum %losses : (tensor<?xf32>) -> tensor<f32>
    %count = tg.cast %batch {element_type = f32} : (tensor<i64>) -> tensor<f32>
    %loss = tg.div %total, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %g:4 = tg.gradient %loss variables [@w1, @b1, @w2, @b2] : (tensor<f32>) -> (tensor<784x100xf32>, tensor<100xf32>, tensor<100x10xf32>, tensor<10xf32>)
    // Adam
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
    tg.update [[@w1, @w1_m, @w1_v], [@b1, @b1_m, @b1_v], [@w2, @w2_m, @w2_v], [@b2, @b2_m, @b2_v]] inputs(%g#0, %g#1, %g#2, %g#3) : (tensor<784x100xf32>, tensor<100xf32>, tensor<100x10xf32>, tensor<10xf32>) -> () {
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
    return %loss : tensor<f32>
  }

  func.func @test(%x: tensor<?x784xf32> {tg.name = "x", tg.dims = ["batch", ""]})
      -> (tensor<?x10xf32> {tg.name = "probabilities", tg.dims = ["batch", ""]}, tensor<?xi64> {tg.name = "digit", tg.dims = ["batch"]})
      attributes {tg.role = "test"} {
    %w1 = tg.read @w1 : tensor<784x100xf32>
    %b1 = tg.read @b1 : tensor<100xf32>
    %w2 = tg.read @w2 : tensor<100x10xf32>
    %b2 = tg.read @b2 : tensor<10xf32>
    %h0 = tg.matmul %x, %w1 : (tensor<?x784xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
    %h1 = tg.add %h0, %b1 : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h2 = tg.relu %h1 : tensor<?x100xf32>
    %o0 = tg.matmul %h2, %w2 : (tensor<?x100xf32>, tensor<100x10xf32>) -> tensor<?x10xf32>
    %logits = tg.add %o0, %b2 : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    %probabilities = tg.softmax %logits {axis = 1} : tensor<?x10xf32>
    %digit = tg.argmax %logits {axis = 1} : (tensor<?x10xf32>) -> tensor<?xi64>
    return %probabilities, %digit : tensor<?x10xf32>, tensor<?xi64>
  }
}
