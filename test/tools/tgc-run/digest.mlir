// --digest prints the SHA-256 of each output of the last run, of each variable
// and of all variables.
// RUN: rm -rf %t && mkdir %t && tgc %s -O2 -o %t/net.so && cd %t
// RUN: %root/tools/dev/make-npy.py x.npy f32 33 30
// RUN: tgc-run net.so init --input seed=1 --digest --save start.st | FileCheck %s --check-prefix=INIT
// INIT-NOT: output
// INIT: {{^[0-9a-f]{64}  variable net/w: f32 \[30, 7\]$}}
// INIT-NEXT: {{^[0-9a-f]{64}  variable net/step: i64$}}
// INIT-NEXT: {{^[0-9a-f]{64}  all variables$}}
// INIT-NOT: {{.}}
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 3 --digest --output h=h.npy --save end.st > one.txt
// RUN: FileCheck %s --input-file=one.txt
// CHECK: sum =
// CHECK-NEXT: positive: i1 [33, 7], not written
// CHECK-NEXT: {{^[0-9a-f]{64}  output sum: f32$}}
// CHECK-NEXT: {{^[0-9a-f]{64}  output h: f32 \[33, 7\]$}}
// CHECK-NEXT: {{^[0-9a-f]{64}  output positive: i1 \[33, 7\]$}}
// CHECK-NEXT: {{^[0-9a-f]{64}  variable net/w: f32 \[30, 7\]$}}
// CHECK-NEXT: {{^[0-9a-f]{64}  variable net/step: i64$}}
// CHECK-NEXT: {{^[0-9a-f]{64}  all variables$}}

// The digests are those of the elements in files and of the lines.
// RUN: python3 %S/Inputs/check-digests.py one.txt end.st h.npy

// They do not depend on the number of threads.
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 3 --digest --output h=h3.npy --threads 3 > three.txt
// RUN: diff one.txt three.txt

// Another seed gives other digests, the same seed the same ones.
// RUN: tgc-run net.so init --input seed=1 --digest > first.txt
// RUN: tgc-run net.so init --input seed=1 --digest --threads 3 | diff first.txt -
// RUN: tgc-run net.so init --input seed=2 --digest > second.txt
// RUN: not diff first.txt second.txt

// A run without values of the variables has digests of outputs alone.
// RUN: tgc-run net.so double --input x=x.npy --digest | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: y: f32 [33, 30], not written
// DOUBLE-NEXT: {{^[0-9a-f]{64}  output y: f32 \[33, 30\]$}}
// DOUBLE-NOT: {{.}}

// RUN: not tgc-run net.so --digest 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: tgc-run: error: options without a function to run, see --help

tg.variable @"net/w" : tensor<30x7xf32>
tg.variable @"net/step" : tensor<i64>
func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
  %stream = tg.constant dense<0> : tensor<i64>
  %w = tg.random_normal %seed, %stream {shape = [30, 7], stream = 1 : i64} : (tensor<i64>, tensor<i64>) -> tensor<30x7xf32>
  tg.assign @"net/w", %w : tensor<30x7xf32>
  tg.assign @"net/step", %stream : tensor<i64>
  return
}
func.func @step(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<f32> {tg.name = "sum"}, tensor<?x7xf32> {tg.name = "h"}, tensor<?x7xi1> {tg.name = "positive"}) {
  %w = tg.read @"net/w" : tensor<30x7xf32>
  %h = tg.matmul %x, %w : (tensor<?x30xf32>, tensor<30x7xf32>) -> tensor<?x7xf32>
  %r = tg.tanh %h : tensor<?x7xf32>
  %sum = tg.reduce_sum %r : (tensor<?x7xf32>) -> tensor<f32>
  %zero = tg.constant dense<0.0> : tensor<f32>
  %positive = tg.compare gt, %h, %zero : (tensor<?x7xf32>, tensor<f32>) -> tensor<?x7xi1>
  %next = tg.add %w, %sum : (tensor<30x7xf32>, tensor<f32>) -> tensor<30x7xf32>
  tg.assign @"net/w", %next : tensor<30x7xf32>
  %step = tg.read @"net/step" : tensor<i64>
  %one = tg.constant dense<1> : tensor<i64>
  %after = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.assign @"net/step", %after : tensor<i64>
  return %sum, %r, %positive : tensor<f32>, tensor<?x7xf32>, tensor<?x7xi1>
}
func.func @double(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<?x30xf32> {tg.name = "y"}) {
  %y = tg.add %x, %x : (tensor<?x30xf32>, tensor<?x30xf32>) -> tensor<?x30xf32>
  return %y : tensor<?x30xf32>
}
