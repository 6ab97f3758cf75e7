// --trace-bits writes the digests of the results of all steps, and
// --compare-bits names the first step whose results differ.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: clang -shared -fPIC -Wall -Werror -I%root/include %S/Inputs/functions.c -o functions.so
// RUN: tgc %s -O2 -o net.so
// RUN: %root/tools/dev/make-npy.py x.npy f32 33 30
// RUN: %root/tools/dev/make-npy.py other.npy f32 33 30 --seed 5
// RUN: %root/tools/dev/make-npy.py w.npy f32 30 20
// RUN: %root/tools/dev/make-npy.py q.npy f32 50 50
// RUN: %root/tools/dev/make-npy.py image.npy f32 2 15 18 32
// RUN: tgc-run net.so init --input seed=1 --save start.st --trace-bits=init.txt
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 3 --host=functions.so --trace-bits=one.txt > printed.txt 2> /dev/null
// RUN: FileCheck %s --input-file=one.txt
// CHECK: {"format":"tgc-run --trace-bits","version":1,"model":"trace-bits","function":"step","lines":{{[0-9]+}}}
// CHECK: {"call":0,"step":0,"run":0,"kernel":"{{.*}}","layers":"{{.*}}","line":"{{.*}}trace-bits.mlir:{{[0-9]+}}","results":["{{([0-9a-f]{64})}}"
// CHECK: {"call":1,"step":0,"run":0,
// CHECK: {"call":2,"step":0,"run":0,
// RUN: python3 %S/Inputs/check-trace.py one.txt

// Neither a trace nor the number of threads changes the bits.
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 3 --host=functions.so 2> /dev/null | diff printed.txt -
// RUN: tgc-run net.so step --load start.st --input x=x.npy --repeat 3 --host=functions.so --threads 3 --trace-bits=three.txt > /dev/null 2>&1
// RUN: cmp one.txt three.txt
// RUN: tgc-run --compare-bits one.txt three.txt | FileCheck %s --check-prefix=EQUAL
// EQUAL: the results of {{[1-9][0-9]*}} runs of steps are equal

// The next training step begins with other variables.
// RUN: tgc-run net.so step --load start.st --input x=x.npy --host=functions.so --save next.st --trace-bits=first.txt > /dev/null 2>&1
// RUN: tgc-run net.so step --load next.st --input x=x.npy --host=functions.so --trace-bits=second.txt > /dev/null 2>&1
// RUN: bash -c "tgc-run --compare-bits first.txt second.txt; test \$? = 1" | FileCheck %s --check-prefix=DIFFERENT
// DIFFERENT: call 0, step {{[0-9]+}}, run 0: kernel '{{.*}}', {{.*}}trace-bits.mlir:{{[0-9]+}}: result {{[0-9]+}} has the digests {{([0-9a-f]{64})}} and {{([0-9a-f]{64})}}
// DIFFERENT-NOT: {{.}}

// Another input differs where it is read first.
// RUN: tgc-run net.so step --load start.st --input x=other.npy --repeat 3 --host=functions.so --trace-bits=other.txt > /dev/null 2>&1
// RUN: bash -c "tgc-run --compare-bits one.txt other.txt; test \$? = 1" | FileCheck %s --check-prefix=INPUT
// INPUT: call 0, step {{[0-9]+}}, run 0: kernel '{{.*}}', {{.*}}trace-bits.mlir:{{[0-9]+}}: result 0 has

// Another algorithm of convolutions differs in their step.
// RUN: tgc %s -O2 -o direct.so --conv-algorithm=direct
// RUN: tgc %s -O2 -o winograd.so --conv-algorithm=winograd
// RUN: tgc-run direct.so filter --load start.st --input x=image.npy --trace-bits=direct.txt > /dev/null
// RUN: tgc-run direct.so filter --load start.st --input x=image.npy --threads 3 --trace-bits=direct3.txt > /dev/null
// RUN: tgc-run winograd.so filter --load start.st --input x=image.npy --trace-bits=winograd.txt > /dev/null
// RUN: tgc-run winograd.so filter --load start.st --input x=image.npy --threads 3 --trace-bits=winograd3.txt > /dev/null
// RUN: cmp direct.txt direct3.txt && cmp winograd.txt winograd3.txt
// RUN: bash -c "tgc-run --compare-bits direct.txt winograd.txt; test \$? = 1" | FileCheck %s --check-prefix=CONV
// CONV: kernel '{{.*}}conv{{.*}}_packed', {{.*}}trace-bits.mlir:[[@LINE+94]], and kernel '{{.*}}conv{{.*}}_winograd': result 0 has the digests

// A data-dependent size hashes the elements that exist.
// RUN: tgc-run net.so places --input x=x.npy --input least=0.5 --trace-bits=p1.txt --output at=at.npy
// RUN: tgc-run net.so places --input x=x.npy --input least=0.5 --trace-bits=p3.txt --output at=at.npy --threads 3
// RUN: cmp p1.txt p3.txt
// RUN: python3 %S/Inputs/check-trace.py p1.txt at.npy

// A part of a larger buffer has the digest of its elements.
// RUN: tgc-run net.so init --input seed=1 --trace-bits=init3.txt --threads 3 && cmp init.txt init3.txt
// RUN: tgc-run net.so whole --input x=x.npy --input w=w.npy --digest | grep "  output h: " | cut -c 1-64 > digest.txt
// RUN: tgc-run net.so part --input x=x.npy --input w=w.npy --input q=q.npy --trace-bits=part1.txt --output z=z.npy
// RUN: tgc-run net.so part --input x=x.npy --input w=w.npy --input q=q.npy --trace-bits=part3.txt --output z=z.npy --threads 3
// RUN: cmp part1.txt part3.txt && not grep concat part1.txt
// RUN: grep -f digest.txt part1.txt

// Bad files.
// RUN: bash -c "tgc-run --compare-bits one.txt none.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=NONE
// NONE: tgc-run: error: TG_ERROR_IO: 'none.txt': cannot read the trace
// RUN: bash -c "tgc-run --compare-bits printed.txt one.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=FORMAT
// FORMAT: tgc-run: error: TG_ERROR_FORMAT: 'printed.txt' is no trace of bits, expected a file of tgc-run --trace-bits
// RUN: head -n 3 one.txt > short.txt
// RUN: bash -c "tgc-run --compare-bits one.txt short.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=SHORT
// SHORT: tgc-run: error: TG_ERROR_FORMAT: 'short.txt' has 2 lines after the first, expected {{[0-9]+}}
// RUN: sed '1s/"version":1/"version":9/' one.txt > version.txt
// RUN: bash -c "tgc-run --compare-bits one.txt version.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=VERSION
// VERSION: tgc-run: error: TG_ERROR_FORMAT: 'version.txt' has version 9 of the format, expected 1
// RUN: sed '2s/"line":"[^"]*"/"line":"net.mlir:1"/' one.txt > source.txt
// RUN: bash -c "tgc-run --compare-bits one.txt source.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=SOURCE
// SOURCE: tgc-run: error: TG_ERROR_FORMAT: 'source.txt' has in line 2 call 0, step 0, run 0: kernel '{{.*}}', net.mlir:1, expected as in 'one.txt' call 0, step 0, run 0: kernel '{{.*}}trace-bits.mlir:{{[0-9]+$}}
// RUN: sed '2s/.*/{}/' one.txt > line.txt
// RUN: bash -c "tgc-run --compare-bits one.txt line.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=LINE
// LINE: tgc-run: error: TG_ERROR_FORMAT: 'line.txt' has no step in line 2, expected a file of tgc-run --trace-bits
// RUN: bash -c "tgc-run --compare-bits one.txt init.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: tgc-run: error: TG_ERROR_FORMAT: 'init.txt' is of function 'init', expected 'step' as in 'one.txt'
// RUN: bash -c "tgc-run --compare-bits one.txt first.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=FEWER
// FEWER: tgc-run: error: TG_ERROR_FORMAT: 'first.txt' has {{[0-9]+}} runs of steps, expected {{[0-9]+}} as in 'one.txt'

// Bad options.
// RUN: bash -c "tgc-run --compare-bits one.txt 2>&1; test \$? = 2" | FileCheck %s --check-prefix=ALONE
// ALONE: tgc-run: error: 1 arguments, expected --compare-bits FILE FILE without other options, see --help
// RUN: bash -c "tgc-run --compare-bits one.txt two.txt --digest 2>&1; test \$? = 2" | FileCheck %s --check-prefix=OTHERS
// OTHERS: tgc-run: error: 2 arguments, expected --compare-bits FILE FILE without other options, see --help
// RUN: not tgc-run net.so step --trace-bits=a.txt --profile 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: tgc-run: error: --trace-bits with --profile, expected one of them, see --help
// RUN: not tgc-run net.so init --input seed=1 --trace-bits=/nonexistent/a.txt 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: TG_ERROR_IO: '/nonexistent/a.txt': cannot write

tg.variable @"net/w" : tensor<30x7xf32>
tg.variable @"net/filter" : tensor<3x3x32x32xf32>
func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
  %stream = tg.constant dense<0> : tensor<i64>
  %w = tg.random_normal %seed, %stream {shape = [30, 7], stream = 1 : i64} : (tensor<i64>, tensor<i64>) -> tensor<30x7xf32>
  tg.assign @"net/w", %w : tensor<30x7xf32>
  %filter = tg.random_normal %seed, %stream {shape = [3, 3, 32, 32], stream = 2 : i64} : (tensor<i64>, tensor<i64>) -> tensor<3x3x32x32xf32>
  tg.assign @"net/filter", %filter : tensor<3x3x32x32xf32>
  return
}
// Parts of rows, a loop over elements, a loop with a condition, a host call.
func.func @step(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}) -> (tensor<f32> {tg.name = "sum"}, tensor<?x37xf32> {tg.name = "both"}) {
  %w = tg.read @"net/w" : tensor<30x7xf32>
  %h = tg.matmul %x, %w : (tensor<?x30xf32>, tensor<30x7xf32>) -> tensor<?x7xf32>
  %r = tg.tanh %h : tensor<?x7xf32>
  %e = tg.exp %x : tensor<?x30xf32>
  %both = tg.concat %r, %e {axis = 1} : (tensor<?x7xf32>, tensor<?x30xf32>) -> tensor<?x37xf32>
  %zero = tg.constant dense<0.0> : tensor<7xf32>
  %last = tg.scan inits(%zero) inputs(%r) : (tensor<7xf32>, tensor<?x7xf32>) -> tensor<7xf32> {
  ^bb0(%s: tensor<7xf32>, %row: tensor<7xf32>):
    %t = tg.add %s, %row : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %n = tg.tanh %t : tensor<7xf32>
    tg.yield %n : tensor<7xf32>
  }
  %none = tg.constant dense<0> : tensor<i64>
  %count, %out = tg.while inits(%none, %last) {max_trip = 4} : (tensor<i64>, tensor<7xf32>) -> (tensor<i64>, tensor<7xf32>) cond {
  ^bb0(%i: tensor<i64>, %v: tensor<7xf32>):
    %three = tg.constant dense<3> : tensor<i64>
    %more = tg.compare lt, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    tg.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i64>, %v: tensor<7xf32>):
    %one = tg.constant dense<1> : tensor<i64>
    %j = tg.add %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %u = tg.sin %v : tensor<7xf32>
    tg.yield %j, %u : tensor<i64>, tensor<7xf32>
  }
  %sum = tg.reduce_sum %out : (tensor<7xf32>) -> tensor<f32>
  %square = tg.host_call "square"(%sum) {pure} : (tensor<f32>) -> tensor<f32>
  tg.print "square", %square : tensor<f32>
  %next = tg.add %w, %square : (tensor<30x7xf32>, tensor<f32>) -> tensor<30x7xf32>
  tg.assign @"net/w", %next : tensor<30x7xf32>
  return %square, %both : tensor<f32>, tensor<?x37xf32>
}
func.func @filter(%x: tensor<?x15x18x32xf32> {tg.name = "x", tg.dims = ["batch", "", "", ""]}) -> (tensor<?x15x18x32xf32> {tg.name = "y"}) {
  %w = tg.read @"net/filter" : tensor<3x3x32x32xf32>
  %h = tg.conv %x, %w {padding = "same"} : (tensor<?x15x18x32xf32>, tensor<3x3x32x32xf32>) -> tensor<?x15x18x32xf32>
  %y = tg.relu %h : tensor<?x15x18x32xf32>
  return %y : tensor<?x15x18x32xf32>
}
func.func @places(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}, %least: tensor<f32> {tg.name = "least"}) -> (tensor<?x2xi64> {tg.name = "at"}) {
  %p = tg.compare gt, %x, %least : (tensor<?x30xf32>, tensor<f32>) -> tensor<?x30xi1>
  %at = tg.nonzero %p : (tensor<?x30xi1>) -> tensor<?x2xi64>
  return %at : tensor<?x2xi64>
}
// The product is written into its part of the operand of the next product.
func.func @part(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}, %w: tensor<30x20xf32> {tg.name = "w"}, %q: tensor<50x50xf32> {tg.name = "q"}) -> (tensor<?x50xf32> {tg.name = "z"}) {
  %h = tg.matmul %x, %w : (tensor<?x30xf32>, tensor<30x20xf32>) -> tensor<?x20xf32>
  %s = tg.softmax %x {axis = 1} : tensor<?x30xf32>
  %both = tg.concat %h, %s {axis = 1} : (tensor<?x20xf32>, tensor<?x30xf32>) -> tensor<?x50xf32>
  %z = tg.matmul %both, %q : (tensor<?x50xf32>, tensor<50x50xf32>) -> tensor<?x50xf32>
  return %z : tensor<?x50xf32>
}
func.func @whole(%x: tensor<?x30xf32> {tg.name = "x", tg.dims = ["batch", ""]}, %w: tensor<30x20xf32> {tg.name = "w"}) -> (tensor<?x20xf32> {tg.name = "h"}) {
  %h = tg.matmul %x, %w : (tensor<?x30xf32>, tensor<30x20xf32>) -> tensor<?x20xf32>
  return %h : tensor<?x20xf32>
}
