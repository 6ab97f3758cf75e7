// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @cuda_call_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the name of a function like fc1/relu, found 'my relu' [C1]}}
  %y = tg.cuda_call "my relu"(%x) kernel <cuda = ""> : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @cuda_call_c2(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected as many sizes as dynamic extents of results (1), found 0 [C2]}}
  %y = tg.cuda_call "f"(%x) kernel <cuda = ""> : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @cuda_call_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected at least one result, found none [C3]}}
  tg.cuda_call "f"(%x) kernel <cuda = ""> : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{expected one of cuda and ptx, found none}}
#none = #tg.cuda_kernel<entry = "k">

// -----

// expected-error @+1 {{expected one of cuda and ptx, found both}}
#both = #tg.cuda_kernel<cuda = "", ptx = "">

// -----

// expected-error @+1 {{expected block to have 1 to 3 extents, found 4}}
#block = #tg.cuda_kernel<cuda = "", block = [1, 1, 1, 1]>

// -----

// expected-error @+1 {{expected block to have 1 to 3 extents, found 0}}
#block = #tg.cuda_kernel<cuda = "", block = []>

// -----

// expected-error @+1 {{expected an extent of block from 1 to 64, found 65}}
#block = #tg.cuda_kernel<cuda = "", block = [1, 1, 65]>

// -----

// expected-error @+1 {{expected at most 1024 threads in a block, found 2048}}
#block = #tg.cuda_kernel<cuda = "", block = [64, 32]>

// -----

// expected-error @+1 {{expected an extent of grid from 1 to 65535, found 0}}
#grid = #tg.cuda_kernel<cuda = "", grid = [1, 0]>

// -----

// expected-error @+1 {{expected an extent of grid from 1 to 2147483647, found 2147483648}}
#grid = #tg.cuda_kernel<cuda = "", grid = [2147483648]>

// -----

// expected-error @+1 {{expected elements_per_block above 0 and no grid, found 4}}
#grid = #tg.cuda_kernel<cuda = "", grid = [2], elements_per_block = 4>

// -----

// expected-error @+1 {{expected elements_per_block above 0 and no grid, found -1}}
#elements = #tg.cuda_kernel<cuda = "", elements_per_block = -1>

// -----

// expected-error @+1 {{expected shared_bytes from 0 to 232448, found 232449}}
#shared = #tg.cuda_kernel<cuda = "", shared_bytes = 232449>
