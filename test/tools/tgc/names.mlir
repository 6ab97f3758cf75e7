// Functions and inputs may have names that the compiler, the library or C
// define.
// RUN: rm -rf %t && mkdir %t && tgc %s -o %t/names.so && tgc %s -o %t/names.o --symbol-prefix=matmul_add__f
// RUN: llvm-nm --extern-only --defined-only %t/names.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-readelf --dyn-syms %t/names.so | FileCheck %s --check-prefix=EXPORTS
// RUN: tgc-run %t/names.so init --save %t/start.safetensors
// RUN: %root/tools/dev/make-npy.py %t/x.npy f32 1 64
// RUN: tgc-run %t/names.so f --load %t/start.safetensors --input x=%t/x.npy | FileCheck %s --check-prefix=PLUS1
// RUN: tgc-run %t/names.so matmul_add__f --load %t/start.safetensors --input x=%t/x.npy | FileCheck %s --check-prefix=PLUS2
// RUN: tgc-run %t/names.so memcpy --load %t/start.safetensors --input x=%t/x.npy | FileCheck %s --check-prefix=PLUS3
// RUN: tgc-run %t/names.so pack_64x64_f32 --load %t/start.safetensors --input x=%t/x.npy | FileCheck %s --check-prefix=PLUS4
// RUN: tgc-run %t/names.so tg.v3.function.0 --load %t/start.safetensors --input x=%t/x.npy | FileCheck %s --check-prefix=PLUS5

// SYMBOLS: T matmul_add__f_tg_model_get
// SYMBOLS-NOT: {{.}}
// EXPORTS: tg_model_get
// EXPORTS-NOT: FUNC GLOBAL DEFAULT {{[0-9]+}} {{.+}}
// PLUS1: y = 64
// PLUS2: y = 128
// PLUS3: y = 192
// PLUS4: y = 256
// PLUS5: y = 320

tg.variable @memset {trainable} : tensor<64x64xf32>

func.func @init() attributes {tg.role = "init"} {
  %zero = tg.constant dense<0.0> : tensor<64x64xf32>
  tg.assign @memset, %zero : tensor<64x64xf32>
  return
}

func.func @f(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<1.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @matmul_add__f(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<2.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @memcpy(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<3.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @pack_64x64_f32(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<4.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @tg.v3.function.0(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<5.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @tg_model_get(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<6.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @tg_embedded_run(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<7.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @for(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<8.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @matmul_add__f_2(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<9.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @matmul_add__f_packed(%x: tensor<?x64xf32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  %w = tg.read @memset : tensor<64x64xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %c = tg.constant dense<10.0> : tensor<f32>
  %z = tg.add %h, %c : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  %y = tg.reduce_sum %z : (tensor<?x64xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
