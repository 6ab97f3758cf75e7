// A chain of kernels next to their inputs, and a kernel that counts the calls.
tg.variable @calls : tensor<i64>
func.func @init() attributes {tg.role = "init"} {
  %zero = tg.constant dense<0> : tensor<i64>
  tg.assign @calls, %zero : tensor<i64>
  return
}
func.func @step(%x: tensor<8x8xf32> {tg.name = "x"}, %w: tensor<8x8xf32> {tg.name = "w"}) -> (tensor<8x8xf32> {tg.name = "y"}) {
  %calls = tg.read @calls : tensor<i64>
  %one = tg.constant dense<1> : tensor<i64>
  %next = tg.add %calls, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.assign @calls, %next : tensor<i64>
  %0 = tg.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = tg.matmul %0, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = tg.matmul %1, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = tg.matmul %2, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = tg.matmul %3, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = tg.matmul %4, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}
