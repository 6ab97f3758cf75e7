// The gradient of a value that the target does not use is 0.
// RUN: tgc check-grad %s | FileCheck %s

module @unconnected {
  tg.variable @w {trainable} : tensor<2xf32>

  func.func @init() attributes {tg.role = "init"} {
    %one = tg.constant dense<1.0> : tensor<2xf32>
    tg.assign @w, %one : tensor<2xf32>
    return
  }

  // CHECK: f: gradient at
  // CHECK: {{^ +}}x {{.*}}  3 of 3
  // CHECK: {{^ +}}w {{.*}}  2 of 2
  // CHECK: all derivatives are right
  func.func @f(%x: tensor<3xf32> {tg.name = "x"})
      -> (tensor<3xf32> {tg.name = "gx"}, tensor<3xf32> {tg.name = "gy"}, tensor<2xf32> {tg.name = "gw"}) {
    %e = tg.exp %x : tensor<3xf32>
    %y = tg.cumsum %e {axis = 0} : tensor<3xf32>
    %sum = tg.reduce_sum %x : (tensor<3xf32>) -> tensor<f32>
    %gx, %gy, %gw = tg.gradient %sum wrt(%x, %y) variables [@w] {allow_unconnected} : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>)
    return %gx, %gy, %gw : tensor<3xf32>, tensor<3xf32>, tensor<2xf32>
  }
}
