// RUN: tgc-opt %s --tgx-emit-kernels --verify-diagnostics

tgx.kernel @k loop(%x: tensor<4xf32>) {
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}
// expected-error @+1 {{expected another name: two functions would be called 'k.tiles'}}
tgx.kernel @k.tiles loop(%x: tensor<4xf32>) {
  %y = tg.relu %x : tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}
