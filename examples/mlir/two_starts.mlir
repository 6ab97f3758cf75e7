module @two_starts {
  tg.variable @h1_w {trainable} : tensor<150x100xf32>
  tg.variable @h1_b {trainable} : tensor<100xf32>
  tg.variable @h2_w {trainable} : tensor<100x100xf32>
  tg.variable @h2_b {trainable} : tensor<100xf32>
  tg.variable @h3_w {trainable} : tensor<100x50xf32>
  tg.variable @h3_b {trainable} : tensor<50xf32>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    %stddev = tg.constant dense<0.1> : tensor<f32>
    %h1_w_z = tg.random_normal %seed, %zero {shape = [150, 100], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<150x100xf32>
    %h1_w_0 = tg.mul %h1_w_z, %stddev : (tensor<150x100xf32>, tensor<f32>) -> tensor<150x100xf32>
    tg.assign @h1_w, %h1_w_0 : tensor<150x100xf32>
    %h2_w_z = tg.random_normal %seed, %zero {shape = [100, 100], stream = 2} : (tensor<i64>, tensor<i64>) -> tensor<100x100xf32>
    %h2_w_0 = tg.mul %h2_w_z, %stddev : (tensor<100x100xf32>, tensor<f32>) -> tensor<100x100xf32>
    tg.assign @h2_w, %h2_w_0 : tensor<100x100xf32>
    %h3_w_z = tg.random_normal %seed, %zero {shape = [100, 50], stream = 3} : (tensor<i64>, tensor<i64>) -> tensor<100x50xf32>
    %h3_w_0 = tg.mul %h3_w_z, %stddev : (tensor<100x50xf32>, tensor<f32>) -> tensor<100x50xf32>
    tg.assign @h3_w, %h3_w_0 : tensor<100x50xf32>
    %h1_b_0 = tg.constant dense<0.0> : tensor<100xf32>
    tg.assign @h1_b, %h1_b_0 : tensor<100xf32>
    %h2_b_0 = tg.constant dense<0.0> : tensor<100xf32>
    tg.assign @h2_b, %h2_b_0 : tensor<100xf32>
    %h3_b_0 = tg.constant dense<0.0> : tensor<50xf32>
    tg.assign @h3_b, %h3_b_0 : tensor<50xf32>
    return
  }

  // Graph({s1, s2}, {e1, e2})
  func.func @both(%y1: tensor<?x50xf32> {tg.name = "y1", tg.dims = ["batch", ""]}, %y2: tensor<?x100xf32> {tg.name = "y2", tg.dims = ["batch", ""]})
      -> (tensor<?x50xf32> {tg.name = "e1", tg.dims = ["batch", ""]}, tensor<?x100xf32> {tg.name = "e2", tg.dims = ["batch", ""]}) {
    %h1_w = tg.read @h1_w : tensor<150x100xf32>
    %h1_b = tg.read @h1_b : tensor<100xf32>
    %h2_w = tg.read @h2_w : tensor<100x100xf32>
    %h2_b = tg.read @h2_b : tensor<100xf32>
    %h3_w = tg.read @h3_w : tensor<100x50xf32>
    %h3_b = tg.read @h3_b : tensor<50xf32>
    %s = tg.concat %y1, %y2 {axis = 1} : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
    %h1_0 = tg.matmul %s, %h1_w : (tensor<?x150xf32>, tensor<150x100xf32>) -> tensor<?x100xf32>
    %h1_1 = tg.add %h1_0, %h1_b : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h1 = tg.relu %h1_1 : tensor<?x100xf32>
    %h2_0 = tg.matmul %y2, %h2_w : (tensor<?x100xf32>, tensor<100x100xf32>) -> tensor<?x100xf32>
    %h2_1 = tg.add %h2_0, %h2_b : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h2 = tg.relu %h2_1 : tensor<?x100xf32>
    %m = tg.add %h1, %h2 : (tensor<?x100xf32>, tensor<?x100xf32>) -> tensor<?x100xf32>
    %h3_0 = tg.matmul %m, %h3_w : (tensor<?x100xf32>, tensor<100x50xf32>) -> tensor<?x50xf32>
    %h3_1 = tg.add %h3_0, %h3_b : (tensor<?x50xf32>, tensor<50xf32>) -> tensor<?x50xf32>
    %h3 = tg.relu %h3_1 : tensor<?x50xf32>
    return %h3, %h2 : tensor<?x50xf32>, tensor<?x100xf32>
  }

  // Graph({s2}, {e2}): only h2 is on the path
  func.func @second(%y2: tensor<?x100xf32> {tg.name = "y2", tg.dims = ["batch", ""]})
      -> (tensor<?x100xf32> {tg.name = "e2", tg.dims = ["batch", ""]}) attributes {tg.role = "test"} {
    %h2_w = tg.read @h2_w : tensor<100x100xf32>
    %h2_b = tg.read @h2_b : tensor<100xf32>
    %h2_0 = tg.matmul %y2, %h2_w : (tensor<?x100xf32>, tensor<100x100xf32>) -> tensor<?x100xf32>
    %h2_1 = tg.add %h2_0, %h2_b : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %h2 = tg.relu %h2_1 : tensor<?x100xf32>
    return %h2 : tensor<?x100xf32>
  }
}
