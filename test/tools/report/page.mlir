// --report=FILE.html writes the report as one page, whatever names the model
// has.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tgc %s -o x.so --report=x.json
// RUN: tgc %s -o x.so --report=x.html && python3 %S/Inputs/check-page.py x.html x.json
// RUN: tgc %s -o x.so --report=again.html && python3 %S/Inputs/check-page.py x.html > first && python3 %S/Inputs/check-page.py again.html > second && cmp first second
// RUN: not tgc %s -o y.so --report=x.txt 2>&1 | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: tgc: error: expected the file of --report to end in .json, or in .html for a page, found 'x.txt'
// RUN: not tgc %s --stop-after=fuse --report=x.html 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: tgc: error: expected --stop-after=kernels or a later phase for the page 'x.html', which shows kernels
// RUN: not test -e y.so

// tgc-run adds its times to the page.
// RUN: %root/tools/dev/make-npy.py a.npy f32 12 6
// RUN: tgc-run x.so init --save v.st
// RUN: tgc-run x.so step --load v.st --input a=a.npy --repeat 3 --profile=x.html --report=x.html > out 2> table
// RUN: python3 %S/Inputs/check-page.py x.html x.json step 3
// RUN: tgc-run x.so step --load v.st --input a=a.npy --profile=alone.html > out 2> table && python3 %S/Inputs/check-page.py alone.html "" step 1
// RUN: tgc-run x.so init --profile=x.html --report=x.html > out 2> table
// RUN: python3 %S/Inputs/check-page.py x.html x.json step 3 && python3 %S/Inputs/check-page.py x.html x.json init 1

// Layers that share a kernel are listed with their own names and times.
// RUN: python3 %S/Inputs/deep.py 2 > deep.mlir && tgc deep.mlir -o deep.so --target x86-64-v2
// RUN: %root/tools/dev/make-npy.py d.npy f32 4 32
// RUN: tgc-run deep.so init --save d.st && tgc-run deep.so f --load d.st --input x=d.npy --profile 2>&1 | FileCheck %s --check-prefix=LAYERS
// LAYERS-DAG: matmul_tanh__block0{{[a-z_]*}} block0 deep.cpp:1
// LAYERS-DAG: matmul_tanh__block0{{[a-z_]*}} block1 deep.cpp:2

// RUN: not tgc-run x.so step --input a=a.npy --profile=p.txt 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: tgc-run: error: expected the file of --profile to end in .json, or in .html for a page, found 'p.txt', see --help
// RUN: not tgc-run x.so step --input a=a.npy --profile=p.json --report=x.json 2>&1 | FileCheck %s --check-prefix=NOPAGE
// NOPAGE: tgc-run: error: --report without --profile=FILE.html to show it, see --help
// RUN: not tgc-run x.so step --load v.st --input a=a.npy --profile=p.html --report=a.npy 2>&1 | FileCheck %s --check-prefix=NOREPORT
// NOREPORT: tgc-run: error: TG_ERROR_FORMAT: 'a.npy' is no report, expected a file of tgc --report
// RUN: echo '{"functions": [{"name": "step", "steps": [1, {"kernel": {}}]}]}' > other.json
// RUN: not tgc-run x.so step --load v.st --input a=a.npy --profile=p.html --report=other.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: tgc-run: error: TG_ERROR_FORMAT: 'other.json' has {{.*}} of function 'step'{{.*}}, expected a report of this library with
// RUN: not tgc-run x.so step --load v.st --input a=a.npy --profile=p.html --report=missing.json 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: tgc-run: error: TG_ERROR_IO: 'missing.json': cannot read the report
// RUN: not test -e p.html

module @network {
  tg.variable @"net/w" : tensor<4x8xf32>
  func.func @init() attributes {tg.role = "init"} {
    %w = tg.constant dense<0.5> : tensor<4x8xf32>
    tg.assign @"net/w", %w : tensor<4x8xf32>
    return
  }
  func.func @step(%a: tensor<?x6xf32> {tg.name = "a"}) -> (tensor<?x8xf32> {tg.name = "y"}, tensor<f32> {tg.name = "sum"}) {
    %w = tg.read @"net/w" : tensor<4x8xf32>
    %rows = tg.reshape %a {shape = [-1, 4]} : (tensor<?x6xf32>) -> tensor<?x4xf32>
    %h = tg.matmul %rows, %w : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32> loc("</script><script>document.title = 'owned'</script>"("<!--<script>.mlir":7:8))
    %m = tg.reduce_max %h {axes = [0], keep_dims} : (tensor<?x8xf32>) -> tensor<1x8xf32> loc("<img src=x onerror=\22document.title = 'owned'\22>"("\FF&amp;\22'.mlir":9:8))
    %y = tg.sub %h, %m : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32> loc("net/centre"("net.mlir":9:8))
    %sum = tg.reduce_sum %y : (tensor<?x8xf32>) -> tensor<f32>
    %next = tg.mul %w, %sum : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    tg.assign @"net/w", %next : tensor<4x8xf32>
    return %y, %sum : tensor<?x8xf32>, tensor<f32>
  }
}
