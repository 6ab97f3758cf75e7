// RUN: tgc-opt %s --tg-infer-shapes=dims=n=5 | FileCheck %s

// Static extents propagate into regions and out of them.
// CHECK-LABEL: func.func @custom_gradient
// CHECK: tg.custom_gradient %{{.*}} : (tensor<5x3xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<5x3xf32>):
// CHECK-NEXT: tg.transpose %{{.*}} : (tensor<5x3xf32>) -> tensor<3x5xf32>
// CHECK: ^bb0(%{{.*}}: tensor<5x3xf32>, %{{.*}}: tensor<3x5xf32>, %{{.*}}: tensor<3x5xf32>):
// CHECK-NEXT: tg.transpose %{{.*}} : (tensor<3x5xf32>) -> tensor<5x3xf32>
func.func @custom_gradient(%x: tensor<?x3xf32> {tg.name = "x", tg.dims = ["n", ""]}) -> (tensor<3x?xf32> {tg.name = "y"}) {
  %y = tg.custom_gradient %x : (tensor<?x3xf32>) -> tensor<3x?xf32> {
  ^bb0(%in: tensor<?x3xf32>):
    %t = tg.transpose %in {permutation = [1, 0]} : (tensor<?x3xf32>) -> tensor<3x?xf32>
    tg.yield %t : tensor<3x?xf32>
  } gradient {
  ^bb0(%in: tensor<?x3xf32>, %out: tensor<3x?xf32>, %grad: tensor<3x?xf32>):
    %t = tg.transpose %grad {permutation = [1, 0]} : (tensor<3x?xf32>) -> tensor<?x3xf32>
    tg.yield %t : tensor<?x3xf32>
  }
  return %y : tensor<3x?xf32>
}

// A known size becomes a static extent of the result type.
// CHECK-LABEL: func.func @host_call
// CHECK: tg.host_call "f"(%{{.*}}) : (tensor<5xf32>) -> (tensor<2x5xf32>, tensor<7xi1>)
func.func @host_call(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<2x?xf32> {tg.name = "y"}, tensor<?xi1> {tg.name = "p"}) {
  %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
  %two = tg.constant dense<2> : tensor<i64>
  %m = tg.add %n, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %y, %p = tg.host_call "f"(%x) sizes(%n, %m) : (tensor<?xf32>, tensor<i64>, tensor<i64>) -> (tensor<2x?xf32>, tensor<?xi1>)
  return %y, %p : tensor<2x?xf32>, tensor<?xi1>
}

// Types in nested regions are inferred again as well.
// CHECK-LABEL: func.func @custom_gradient_loop
// CHECK: tg.custom_gradient %{{.*}} : (tensor<5x3xf32>) -> tensor<5x3xf32>
// CHECK: tg.while {{.*}} : (tensor<i64>, tensor<5x3xf32>) -> (tensor<i64>, tensor<5x3xf32>)
// CHECK: tg.tanh {{.*}} : tensor<5x3xf32>
// CHECK: tg.scan {{.*}} : (tensor<3xf32>, tensor<5x3xf32>) -> tensor<3xf32>
func.func @custom_gradient_loop(%x: tensor<?x3xf32> {tg.name = "x", tg.dims = ["n", ""]}) -> (tensor<?x3xf32> {tg.name = "y"}) {
  %y = tg.custom_gradient %x : (tensor<?x3xf32>) -> tensor<?x3xf32> {
  ^bb0(%in: tensor<?x3xf32>):
    %none = tg.constant dense<0> : tensor<i64>
    %count, %out = tg.while inits(%none, %in) {max_trip = 4} : (tensor<i64>, tensor<?x3xf32>) -> (tensor<i64>, tensor<?x3xf32>) cond {
    ^bb0(%i: tensor<i64>, %v: tensor<?x3xf32>):
      %three = tg.constant dense<3> : tensor<i64>
      %more = tg.compare lt, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<i64>, %v: tensor<?x3xf32>):
      %one = tg.constant dense<1> : tensor<i64>
      %n = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %t = tg.tanh %v : tensor<?x3xf32>
      tg.yield %n, %t : tensor<i64>, tensor<?x3xf32>
    }
    tg.yield %out : tensor<?x3xf32>
  } gradient {
  ^bb0(%in: tensor<?x3xf32>, %out: tensor<?x3xf32>, %grad: tensor<?x3xf32>):
    %zero = tg.constant dense<0.0> : tensor<3xf32>
    %sum = tg.scan inits(%zero) inputs(%grad) : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<3xf32> {
    ^bb0(%s: tensor<3xf32>, %e: tensor<3xf32>):
      %n = tg.add %s, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %n : tensor<3xf32>
    }
    %d = tg.add %grad, %sum : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    tg.yield %d : tensor<?x3xf32>
  }
  return %y : tensor<?x3xf32>
}
