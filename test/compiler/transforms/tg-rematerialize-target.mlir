// RUN: tgc-opt %s --tg-fuse-kernels="fuse=false" --tg-rematerialize="budget=1536" --verify-diagnostics

// A budget counts the memory that a buffer takes with the alignment of the
// target: 512 bytes for a buffer of 400.

module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {alignment = 256}>} {
  // expected-remark @+1 {{the arena of function 'f' has 1536 bytes instead of 2048}}
  func.func @f(%x: tensor<100xf32> {tg.name = "x"}) -> (tensor<100xf32> {tg.name = "y"}) {
    %a = tg.exp %x : tensor<100xf32>
    %b = tg.neg %a : tensor<100xf32>
    %c = tg.tanh %b : tensor<100xf32>
    %d = tg.mul %b, %c : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
    %y = tg.mul %d, %a : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
    return %y : tensor<100xf32>
  }
}
