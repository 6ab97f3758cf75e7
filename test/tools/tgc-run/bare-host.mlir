// Host functions through abi.h alone. A failing run does not change the
// variables, not even those of a new slab.
// RUN: rm -rf %t && mkdir %t && tgc %s -o %t/m.so
// RUN: clang -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I%root/include %S/Inputs/bare-host.c -o %t/host
// RUN: %t/host %t/m.so | FileCheck %s

// CHECK: init calls count: 0 inputs, 1 outputs, line [[@LINE+22]]
// CHECK-NEXT: train calls count: 1 inputs, 1 outputs, line
// CHECK-NEXT: init(5): 0x404, y 0, variables kept, {{.*}}: tg.host_call: function 'count' of the host failed with status 3 [R1]
// CHECK-NEXT: init(5): 0x0, y 0, variables changed
// CHECK-NEXT: train(1): 0x103, y 0, variables kept, {{.*}}: tg.host_call: no function 'count' of the host is registered, expected one [R1]
// CHECK-NEXT: train(2): 0x0, y 3, variables changed
// CHECK-NEXT: w 9
// CHECK-NEXT: train(1): 0x0, y 4, variables changed
// CHECK-NEXT: w 14
// CHECK-NEXT: train(-1): 0x204, y {{.*}}, variables kept, {{.*}}: tg.assert: the condition is false: x is above 0 [R1]
// CHECK-NEXT: train(1): 0x404, y {{.*}}, variables kept, {{.*}}: tg.host_call: function 'count' of the host failed with status 3 [R1]
// CHECK-NEXT: init(5): 0x404, y 0, variables kept
// CHECK-NEXT: train(1): 0x102, y 0, variables kept, train: host has struct_size 8 or a field that this model does not know, expected 32
// CHECK-NEXT: train(1): 0x101, y 0, variables kept, train: functions of host is null

// init stores the result of a host function in the variable.
module {
  tg.variable @w : tensor<f32>
  tg.variable @v : tensor<4xf32>
  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.0> : tensor<4xf32>
    tg.assign @v, %zero : tensor<4xf32>
    %c = tg.host_call "count"() : () -> tensor<f32>
    tg.assign @w, %c : tensor<f32>
    return
  }
  // w += count; each call needs the value of the previous one.
  func.func @train(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
    %w = tg.read @w : tensor<f32>
    %c = tg.host_call "count"(%w) : (tensor<f32>) -> tensor<f32>
    %new = tg.add %w, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.assign @w, %new : tensor<f32>
    %seen = tg.read @w : tensor<f32>
    tg.print "w", %seen : tensor<f32>
    %zero = tg.constant dense<0.0> : tensor<f32>
    %ok = tg.compare gt, %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.assert %ok, "x is above 0" : tensor<i1>
    return %c : tensor<f32>
  }
}
