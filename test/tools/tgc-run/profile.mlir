// --profile prints the time of each step and does not change the output.
// RUN: rm -rf %t && mkdir %t && tgc %s -o %t/net.so && cd %t
// RUN: %root/tools/dev/make-npy.py x.npy f32 64 300
// RUN: tgc-run net.so init --input seed=1 --save start.st
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 5 --profile=p.json > with.txt 2> table.txt
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 5 > without.txt 2> /dev/null
// RUN: cmp with.txt without.txt
// RUN: FileCheck %s --check-prefix=TABLE --input-file=table.txt
// TABLE: step of profile, batch = 64, 1 thread: 5 runs, {{.*}} ms each
// TABLE-NEXT: limits of the machine: {{.*}} GFLOP/s, {{.*}} GB/s of memory
// TABLE-NEXT: ms share GFLOP/s of max GB/s of max kernel
// TABLE: %{{.*}}matmul{{.*}} {{.*}}profile.mlir:33
// TABLE: % outside of kernels

// The file has the same data as a trace: one event per step of each run.
// RUN: python3 %S/Inputs/check-profile.py p.json %s

// Only the table; several threads; a file that cannot be written.
// RUN: tgc-run net.so step --load start.st --input x=x.npy --profile --threads 2 2>&1 >/dev/null | FileCheck %s --check-prefix=THREADS
// THREADS: step of profile, batch = 64, 2 threads: 1 run, {{.*}} ms each
// RUN: not tgc-run net.so step --load start.st --input x=x.npy --profile=/nonexistent/p.json 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: TG_ERROR_IO: '/nonexistent/p.json': cannot write

tg.variable @"net/w" : tensor<300x200xf32>
func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
  %stream = tg.constant dense<0> : tensor<i64>
  %w = tg.random_normal %seed, %stream {shape = [300, 200], stream = 1 : i64} : (tensor<i64>, tensor<i64>) -> tensor<300x200xf32>
  tg.assign @"net/w", %w : tensor<300x200xf32>
  return
}
func.func @step(%x: tensor<?x300xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<f32> {tg.name = "sum"}) {
  %w = tg.read @"net/w" : tensor<300x200xf32>
  %h = tg.matmul %x, %w : (tensor<?x300xf32>, tensor<300x200xf32>) -> tensor<?x200xf32>
  %r = tg.tanh %h : tensor<?x200xf32>
  %sum = tg.reduce_sum %r : (tensor<?x200xf32>) -> tensor<f32>
  %small = tg.constant dense<0.999> : tensor<f32>
  %next = tg.mul %w, %small : (tensor<300x200xf32>, tensor<f32>) -> tensor<300x200xf32>
  tg.assign @"net/w", %next : tensor<300x200xf32>
  return %sum : tensor<f32>
}
