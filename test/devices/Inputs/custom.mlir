// Kernels of the user as PTX, and the functions of a model that launch them.
// square: y = x * x, a thread for each element.
#square = #tg.cuda_kernel<ptx = ".version 7.0\0A.target sm_80\0A.address_size 64\0A.visible .entry square(.param .u64 x, .param .u64 y, .param .u64 n, .param .u64 m)\0A{\0A  .reg .pred %p;\0A  .reg .f32 %f<2>;\0A  .reg .b32 %r<3>;\0A  .reg .b64 %d<4>;\0A  mov.u32 %r0, %ctaid.x;\0A  mov.u32 %r1, %ntid.x;\0A  mov.u32 %r2, %tid.x;\0A  mad.lo.u32 %r0, %r0, %r1, %r2;\0A  cvt.u64.u32 %d0, %r0;\0A  ld.param.u64 %d1, [n];\0A  setp.ge.s64 %p, %d0, %d1;\0A  @%p bra END;\0A  shl.b64 %d0, %d0, 2;\0A  ld.param.u64 %d1, [x];\0A  ld.param.u64 %d2, [y];\0A  add.s64 %d1, %d1, %d0;\0A  add.s64 %d2, %d2, %d0;\0A  ld.f32 %f0, [%d1];\0A  mul.rn.f32 %f1, %f0, %f0;\0A  st.f32 [%d2], %f1;\0AEND:\0A  ret;\0A}\0A", block = [64]>
// slope: the gradient of square; a source with two kernels.
#slope = #tg.cuda_kernel<ptx = ".version 7.0\0A.target sm_80\0A.address_size 64\0A// two kernels in one source\0A.visible .entry other()\0A{\0A  ret;\0A}\0A.visible .entry slope(\0A  .param .u64 x, /* the input, */ .param .u64 g,\0A  .param .u64 y, .param .u64 n, .param .u64 n1, .param .u64 n2\0A)\0A.maxntid 64, 1, 1\0A{\0A  .reg .pred %p;\0A  .reg .f32 %f<2>;\0A  .reg .b32 %r<3>;\0A  .reg .b64 %d<4>;\0A  mov.u32 %r0, %ctaid.x;\0A  mov.u32 %r1, %ntid.x;\0A  mov.u32 %r2, %tid.x;\0A  mad.lo.u32 %r0, %r0, %r1, %r2;\0A  cvt.u64.u32 %d0, %r0;\0A  ld.param.u64 %d1, [n];\0A  setp.ge.s64 %p, %d0, %d1;\0A  @%p bra END;\0A  shl.b64 %d0, %d0, 2;\0A  ld.param.u64 %d1, [x];\0A  ld.param.u64 %d2, [g];\0A  ld.param.u64 %d3, [y];\0A  add.s64 %d1, %d1, %d0;\0A  add.s64 %d2, %d2, %d0;\0A  add.s64 %d3, %d3, %d0;\0A  ld.f32 %f0, [%d1];\0A  ld.f32 %f1, [%d2];\0A  add.rn.f32 %f0, %f0, %f0;\0A  mul.rn.f32 %f0, %f0, %f1;\0A  st.f32 [%d3], %f0;\0AEND:\0A  ret;\0A}\0A", entry = "slope", elements_per_block = 4, block = [4]>
// reverse: reverses rows of four elements in shared memory, by 2 x 2 blocks of
// 2 x 2 threads.
#reverse = #tg.cuda_kernel<ptx = ".version 7.0\0A.target sm_80\0A.address_size 64\0A.extern .shared .align 4 .b8 row[];\0A.visible .entry reverse(.param .u64 x, .param .u64 y, .param .u64 n, .param .u64 n4, .param .u64 m, .param .u64 m4)\0A{\0A  .reg .f32 %f<2>;\0A  .reg .b32 %r<4>;\0A  .reg .b64 %d<6>;\0A  mov.u32 %r0, %ctaid.y;\0A  mov.u32 %r1, %ctaid.x;\0A  shl.b32 %r0, %r0, 1;\0A  add.u32 %r0, %r0, %r1;\0A  shl.b32 %r0, %r0, 2;\0A  mov.u32 %r2, %tid.y;\0A  mov.u32 %r3, %tid.x;\0A  shl.b32 %r2, %r2, 1;\0A  add.u32 %r2, %r2, %r3;\0A  add.u32 %r0, %r0, %r2;\0A  mul.wide.u32 %d0, %r0, 4;\0A  ld.param.u64 %d1, [x];\0A  ld.param.u64 %d2, [y];\0A  add.s64 %d1, %d1, %d0;\0A  add.s64 %d2, %d2, %d0;\0A  ld.f32 %f0, [%d1];\0A  mul.wide.u32 %d3, %r2, 4;\0A  mov.u64 %d4, row;\0A  add.s64 %d5, %d4, %d3;\0A  st.shared.f32 [%d5], %f0;\0A  bar.sync 0;\0A  sub.s64 %d5, %d4, %d3;\0A  ld.shared.f32 %f1, [%d5+12];\0A  st.f32 [%d2], %f1;\0A  ret;\0A}\0A", block = [2, 2], grid = [2, 2], shared_bytes = 16>

module @custom {
  tg.variable @w {trainable} : tensor<3xf32>

  func.func @init() attributes {tg.role = "init"} {
    %w = tg.constant dense<[1.0, 0.5, -2.0]> : tensor<3xf32>
    tg.assign @w, %w : tensor<3xf32>
    return
  }

  // A step of training: the sum of squares of w + x[i]. An index out of range is
  // found before the kernels of the user.
  func.func @train(%x: tensor<?x3xf32> {tg.name = "x"}, %row: tensor<i32> {tg.name = "row"}) -> (tensor<f32> {tg.name = "loss"}) {
    %w = tg.read @w : tensor<3xf32>
    %start = tg.gather %x, %row : (tensor<?x3xf32>, tensor<i32>) -> tensor<3xf32>
    %sum = tg.add %w, %start : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %squares = tg.custom_gradient %sum : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%in: tensor<3xf32>):
      %out = tg.cuda_call "square"(%in) kernel #square : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %out : tensor<3xf32>
    } gradient {
    ^bb0(%in: tensor<3xf32>, %out: tensor<3xf32>, %grad: tensor<3xf32>):
      %in_grad = tg.cuda_call "square_grad"(%in, %grad) kernel #slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %in_grad : tensor<3xf32>
    }
    %loss = tg.reduce_sum %squares : (tensor<3xf32>) -> tensor<f32>
    %grad = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    %rate = tg.constant dense<0.125> : tensor<f32>
    %step = tg.mul %grad, %rate : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %new = tg.sub %w, %step : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tg.assign @w, %new : tensor<3xf32>
    return %loss : tensor<f32>
  }

  // A kernel that writes a variable, after a check.
  func.func @store(%x: tensor<?xf32> {tg.name = "x"}, %indices: tensor<3xi32> {tg.name = "indices"}) {
    %values = tg.gather %x, %indices : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xf32>
    %w = tg.cuda_call "square"(%values) kernel #square : (tensor<3xf32>) -> tensor<3xf32>
    tg.assign @w, %w : tensor<3xf32>
    return
  }

  // A dynamic size, from none to several blocks.
  func.func @squares(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
    %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
    %y = tg.cuda_call "square"(%x) sizes(%n) kernel #square : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }

  func.func @reverse(%x: tensor<4x4xf32> {tg.name = "x"}) -> (tensor<4x4xf32> {tg.name = "y"}) {
    %y = tg.cuda_call "reverse"(%x) kernel #reverse : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %y : tensor<4x4xf32>
  }
}
