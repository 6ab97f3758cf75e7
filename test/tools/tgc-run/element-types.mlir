// Numbers, arrays and checkpoints of every element type are read and written.
// RUN: rm -rf %t && mkdir %t && tgc %s -o %t/model.so
// RUN: tgc-run %t/model.so | FileCheck %s --check-prefix=TABLES
// TABLES: step (a: i8, b: i16, c: ui8, d: i32, e: i1) -> (ab: i16, total: i16, d2: i32, e2: i1, c2: ui8)
// TABLES: narrow: i8 [3]
// TABLES: wide: i16 [2]

// Numbers have their type's arithmetic: narrow integers wrap, i32 is exact.
// RUN: tgc-run %t/model.so init --save %t/0.safetensors
// RUN: tgc-run %t/model.so step --load %t/0.safetensors --input a=-128 --input b=-32768 --input c=255 --input d=16777217 --input e=1 --save %t/a.safetensors | FileCheck %s
// CHECK: ab = 0
// CHECK-NEXT: total = -128
// CHECK-NEXT: d2 = 16777217
// CHECK-NEXT: e2 = 0
// CHECK-NEXT: c2 = 254
// RUN: tgc-run %t/model.so step --load %t/a.safetensors --input a=3 --input b=-5 --input c=0 --input d=-1 --input e=0 | FileCheck %s --check-prefix=AGAIN
// AGAIN: ab = -15
// AGAIN-NEXT: total = -125
// AGAIN-NEXT: d2 = -1
// AGAIN-NEXT: e2 = 1
// AGAIN-NEXT: c2 = 0

// The checkpoint uses the usual type names and stores wider elements first.
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/a.safetensors
// HEADER: "wide":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},"narrow":{"dtype":"I8","shape":[3],"data_offsets":[4,7]}

// RUN: %root/tools/dev/make-npy.py %t/x.npy i8 5 --below 100
// RUN: %root/tools/dev/make-npy.py %t/y.npy i16 5 --below 30000
// RUN: tgc-run %t/model.so arrays --input x=%t/x.npy --input y=%t/y.npy --output x2=%t/x2.npy --output y2=%t/y2.npy
// RUN: cmp %t/x.npy %t/x2.npy
// RUN: cmp %t/y.npy %t/y2.npy
// RUN: not tgc-run %t/model.so arrays --input x=%t/y.npy --input y=%t/y.npy 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: input 'x' has element type i16, expected i8

// Numbers out of a type's range are refused.
// RUN: not tgc-run %t/model.so step --input a=128 --input b=0 --input c=0 --input d=0 --input e=0 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: input 'a' is '128', expected a file.npy or a number in the range of type i8
// RUN: not tgc-run %t/model.so step --input a=0 --input b=-32769 --input c=0 --input d=0 --input e=0 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: input 'b' is '-32769', expected a file.npy or a number in the range of type i16

// A divisor of 0 also fails in these types.
// RUN: not tgc-run %t/model.so divide --input x=1 --input y=0 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: divisor at element 0 is 0 [R1]
// RUN: tgc-run %t/model.so divide --input x=-128 --input y=-1 | FileCheck %s --check-prefix=LOWEST
// LOWEST: q = -128

tg.variable @narrow : tensor<3xi8>
tg.variable @wide : tensor<2xi16>

func.func @init() attributes {tg.role = "init"} {
  %n = tg.constant dense<0> : tensor<3xi8>
  tg.assign @narrow, %n : tensor<3xi8>
  %w = tg.constant dense<0> : tensor<2xi16>
  tg.assign @wide, %w : tensor<2xi16>
  return
}

func.func @step(%a: tensor<i8> {tg.name = "a"}, %b: tensor<i16> {tg.name = "b"}, %c: tensor<ui8> {tg.name = "c"},
                %d: tensor<i32> {tg.name = "d"}, %e: tensor<i1> {tg.name = "e"})
    -> (tensor<i16> {tg.name = "ab"}, tensor<i16> {tg.name = "total"}, tensor<i32> {tg.name = "d2"}, tensor<i1> {tg.name = "e2"},
        tensor<ui8> {tg.name = "c2"}) {
  %wide = tg.cast %a {element_type = i16} : (tensor<i8>) -> tensor<i16>
  %ab = tg.mul %wide, %b : (tensor<i16>, tensor<i16>) -> tensor<i16>
  %old = tg.read @wide : tensor<2xi16>
  %new = tg.add %old, %wide : (tensor<2xi16>, tensor<i16>) -> tensor<2xi16>
  tg.assign @wide, %new : tensor<2xi16>
  %before = tg.read @narrow : tensor<3xi8>
  %after = tg.add %before, %a : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  tg.assign @narrow, %after : tensor<3xi8>
  %total = tg.reduce_max %new : (tensor<2xi16>) -> tensor<i16>
  %d2 = tg.relu %d : tensor<i32>
  %least = tg.minimum %d, %d2 : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %e2 = tg.not %e : tensor<i1>
  %c2 = tg.add %c, %c : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  return %ab, %total, %least, %e2, %c2 : tensor<i16>, tensor<i16>, tensor<i32>, tensor<i1>, tensor<ui8>
}

func.func @arrays(%x: tensor<?xi8> {tg.name = "x", tg.dims = ["n"]}, %y: tensor<?xi16> {tg.name = "y", tg.dims = ["n"]})
    -> (tensor<?xi8> {tg.name = "x2", tg.dims = ["n"]}, tensor<?xi16> {tg.name = "y2", tg.dims = ["n"]}) {
  %a = tg.neg %x : tensor<?xi8>
  %x2 = tg.neg %a : tensor<?xi8>
  %b = tg.not %y : tensor<?xi16>
  %y2 = tg.not %b : tensor<?xi16>
  return %x2, %y2 : tensor<?xi8>, tensor<?xi16>
}

func.func @divide(%x: tensor<i8> {tg.name = "x"}, %y: tensor<i8> {tg.name = "y"}) -> (tensor<i8> {tg.name = "q"}) {
  %q = tg.div %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i8>
  return %q : tensor<i8>
}
