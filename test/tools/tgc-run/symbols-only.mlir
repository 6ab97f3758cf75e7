// All functions of the model have dynamic shapes: a context has no workspace
// before the first run, which allocates it.
// RUN: rm -rf %t && mkdir %t && tgc %s -o %t/model.so
// RUN: %root/tools/dev/make-npy.py %t/x.npy f32 7 5
// RUN: tgc-run %t/model.so total --input x=%t/x.npy | FileCheck %s
// RUN: tgc-run %t/model.so total --input x=%t/x.npy --threads 2 --repeat 3 2>&1 | FileCheck %s
// RUN: tgc-run %t/model.so spread --input x=%t/x.npy --output y=%t/y.npy
// RUN: tgc-run %t/model.so total --input x=%t/y.npy | FileCheck %s --check-prefix=ROWS

// A model without variables can be initialized, saved and loaded.
// RUN: tgc-run %t/model.so total --input x=%t/x.npy --save %t/none.safetensors
// RUN: tgc-run %t/model.so total --input x=%t/x.npy --load %t/none.safetensors | FileCheck %s

// CHECK: sum = {{21\.346[0-9]*$}}
// ROWS: sum = {{(6\.99[0-9]*|7|7\.00[0-9]*)$}}

func.func @total(%x: tensor<?x?xf32> {tg.name = "x", tg.dims = ["rows", "columns"]})
    -> (tensor<f32> {tg.name = "sum"}) {
  %s = tg.reduce_sum %x {axes = [1]} : (tensor<?x?xf32>) -> tensor<?xf32>
  %sum = tg.reduce_sum %s : (tensor<?xf32>) -> tensor<f32>
  return %sum : tensor<f32>
}

func.func @spread(%x: tensor<?x?xf32> {tg.name = "x", tg.dims = ["rows", "columns"]})
    -> (tensor<?x?xf32> {tg.name = "y"}) {
  %y = tg.softmax %x {axis = 1 : i64} : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
