// One function for each kind of kernel. Each kind has its own amount of memory
// that it must move, which counts.py states.
module @counts {
  tg.variable @w : tensor<1024x1000xf32>
  tg.variable @m : tensor<1024x1000xf32>
  tg.variable @v : tensor<1024x1000xf32>

  tg.variable @b : tensor<1001xf32>
  tg.variable @b_m : tensor<1001xf32>
  tg.variable @b_v : tensor<1001xf32>

  func.func @init() attributes {tg.role = "init"} {
    %zero_b = tg.constant dense<0.0> : tensor<1001xf32>
    tg.assign @b, %zero_b : tensor<1001xf32>
    tg.assign @b_m, %zero_b : tensor<1001xf32>
    tg.assign @b_v, %zero_b : tensor<1001xf32>
    %zero = tg.constant dense<0.0> : tensor<1024x1000xf32>
    tg.assign @w, %zero : tensor<1024x1000xf32>
    tg.assign @m, %zero : tensor<1024x1000xf32>
    tg.assign @v, %zero : tensor<1024x1000xf32>
    return
  }
  func.func @elementwise(%x: tensor<1024x1000xf32> {tg.name = "x"}) -> (tensor<1024x1000xf32> {tg.name = "y"}) {
    %0 = tg.relu %x : tensor<1024x1000xf32>
    %1 = tg.mul %0, %x : (tensor<1024x1000xf32>, tensor<1024x1000xf32>) -> tensor<1024x1000xf32>
    return %1 : tensor<1024x1000xf32>
  }
  // The launch finds that rows are whole runs.
  func.func @bias(%x: tensor<?x?xf32> {tg.name = "x"}, %b: tensor<?xf32> {tg.name = "c"}) -> (tensor<?x?xf32> {tg.name = "y"}) {
    %0 = tg.add %x, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @softmax(%x: tensor<1024x1000xf32> {tg.name = "x"}) -> (tensor<1024x1000xf32> {tg.name = "y"}) {
    %0 = tg.softmax %x {axis = 1} : tensor<1024x1000xf32>
    return %0 : tensor<1024x1000xf32>
  }
  func.func @layer_norm(%x: tensor<1024x1000xf32> {tg.name = "x"}) -> (tensor<1024x1000xf32> {tg.name = "y"}) {
    %epsilon = tg.constant dense<1.0e-5> : tensor<f32>
    %mean, %variance = tg.moments %x {axes = [1], keep_dims} : (tensor<1024x1000xf32>) -> (tensor<1024x1xf32>, tensor<1024x1xf32>)
    %0 = tg.sub %x, %mean : (tensor<1024x1000xf32>, tensor<1024x1xf32>) -> tensor<1024x1000xf32>
    %1 = tg.add %variance, %epsilon : (tensor<1024x1xf32>, tensor<f32>) -> tensor<1024x1xf32>
    %2 = tg.sqrt %1 : tensor<1024x1xf32>
    %3 = tg.div %0, %2 : (tensor<1024x1000xf32>, tensor<1024x1xf32>) -> tensor<1024x1000xf32>
    return %3 : tensor<1024x1000xf32>
  }
  func.func @batch_norm(%x: tensor<1024x1000xf32> {tg.name = "x"}) -> (tensor<1024x1000xf32> {tg.name = "y"}) {
    %epsilon = tg.constant dense<1.0e-5> : tensor<f32>
    %mean, %variance = tg.moments %x {axes = [0]} : (tensor<1024x1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>)
    %0 = tg.sub %x, %mean : (tensor<1024x1000xf32>, tensor<1000xf32>) -> tensor<1024x1000xf32>
    %1 = tg.add %variance, %epsilon : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
    %2 = tg.sqrt %1 : tensor<1000xf32>
    %3 = tg.div %0, %2 : (tensor<1024x1000xf32>, tensor<1000xf32>) -> tensor<1024x1000xf32>
    return %3 : tensor<1024x1000xf32>
  }
  func.func @transpose(%x: tensor<1024x1000xf32> {tg.name = "x"}) -> (tensor<1000x1024xf32> {tg.name = "y"}) {
    %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<1024x1000xf32>) -> tensor<1000x1024xf32>
    return %0 : tensor<1000x1024xf32>
  }
  func.func @permute(%x: tensor<8x64x28x28xf32> {tg.name = "i"}) -> (tensor<8x28x28x64xf32> {tg.name = "y"}) {
    %0 = tg.transpose %x {permutation = [0, 2, 3, 1]} : (tensor<8x64x28x28xf32>) -> tensor<8x28x28x64xf32>
    return %0 : tensor<8x28x28x64xf32>
  }
  func.func @transpose_add(%x: tensor<1024x1024xf32> {tg.name = "a"}) -> (tensor<1024x1024xf32> {tg.name = "y"}) {
    %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %1 = tg.add %0, %x : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %1 : tensor<1024x1024xf32>
  }
  func.func @max_pool(%x: tensor<16x80x80x10xf32> {tg.name = "p"}) -> (tensor<16x40x40x10xf32> {tg.name = "y"}) {
    %0, %1 = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<16x80x80x10xf32>) -> (tensor<16x40x40x10xf32>, tensor<16x40x40x10xui8>)
    return %0 : tensor<16x40x40x10xf32>
  }
  func.func @max_pool_wide(%x: tensor<4x64x64x32xf32> {tg.name = "q"}) -> (tensor<4x32x32x32xf32> {tg.name = "y"}) {
    %0, %1 = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<4x64x64x32xf32>) -> (tensor<4x32x32x32xf32>, tensor<4x32x32x32xui8>)
    return %0 : tensor<4x32x32x32xf32>
  }
  func.func @max_pool_overlap(%x: tensor<4x64x64x32xf32> {tg.name = "q"}) -> (tensor<4x32x32x32xf32> {tg.name = "y"}) {
    %0, %1 = tg.max_pool %x {strides = [2, 2], window = [3, 3], padding = "same"} : (tensor<4x64x64x32xf32>) -> (tensor<4x32x32x32xf32>, tensor<4x32x32x32xui8>)
    return %0 : tensor<4x32x32x32xf32>
  }
  func.func @avg_pool(%x: tensor<4x64x64x32xf32> {tg.name = "q"}) -> (tensor<4x32x32x32xf32> {tg.name = "y"}) {
    %0 = tg.avg_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<4x64x64x32xf32>) -> tensor<4x32x32x32xf32>
    return %0 : tensor<4x32x32x32xf32>
  }
  func.func @matmul(%x: tensor<1024x1024xf32> {tg.name = "a"}, %z: tensor<1024x1024xf32> {tg.name = "b"}) -> (tensor<1024x1024xf32> {tg.name = "y"}) {
    %0 = tg.matmul %x, %z : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
  func.func @adam(%g: tensor<1024x1000xf32> {tg.name = "x"}) {
    %beta1 = tg.constant dense<0.9> : tensor<f32>
    %rest1 = tg.constant dense<0.1> : tensor<f32>
    %beta2 = tg.constant dense<0.999> : tensor<f32>
    %rest2 = tg.constant dense<0.001> : tensor<f32>
    tg.update [[@w, @m, @v]] inputs(%g) : (tensor<1024x1000xf32>) -> () {
    ^bb0(%weight: tensor<f32>, %m0: tensor<f32>, %v0: tensor<f32>, %grad: tensor<f32>):
      %m1 = tg.mul %m0, %beta1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m2 = tg.mul %grad, %rest1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m3 = tg.add %m1, %m2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v1 = tg.mul %v0, %beta2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v2 = tg.mul %grad, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v3 = tg.mul %v2, %rest2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v4 = tg.add %v1, %v3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d0 = tg.sqrt %v4 : tensor<f32>
      %d1 = tg.add %d0, %rest2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d2 = tg.div %m3, %d1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %new = tg.sub %weight, %d2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %new, %m3, %v4 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    return
  }
  func.func @adam_joined(%g: tensor<1024x1000xf32> {tg.name = "x"}, %g_b: tensor<1001xf32> {tg.name = "b"}) {
    %beta1 = tg.constant dense<0.9> : tensor<f32>
    %rest1 = tg.constant dense<0.1> : tensor<f32>
    %beta2 = tg.constant dense<0.999> : tensor<f32>
    %rest2 = tg.constant dense<0.001> : tensor<f32>
    tg.update [[@w, @m, @v], [@b, @b_m, @b_v]] inputs(%g, %g_b) : (tensor<1024x1000xf32>, tensor<1001xf32>) -> () {
    ^bb0(%weight: tensor<f32>, %m0: tensor<f32>, %v0: tensor<f32>, %grad: tensor<f32>):
      %m1 = tg.mul %m0, %beta1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m2 = tg.mul %grad, %rest1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m3 = tg.add %m1, %m2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v1 = tg.mul %v0, %beta2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v2 = tg.mul %grad, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v3 = tg.mul %v2, %rest2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v4 = tg.add %v1, %v3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d0 = tg.sqrt %v4 : tensor<f32>
      %d1 = tg.add %d0, %rest2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %d2 = tg.div %m3, %d1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %new = tg.sub %weight, %d2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %new, %m3, %v4 : tensor<f32>, tensor<f32>, tensor<f32>
    }
    return
  }
}
