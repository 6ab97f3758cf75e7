// Host functions from a library are called in program order.
// RUN: rm -rf %t && mkdir %t
// RUN: clang -shared -fPIC -Wall -Werror -I%root/include %S/Inputs/functions.c -o %t/functions.so
// RUN: tgc %s -o %t/m.so --report=%t/report.json
// RUN: tgc-run %t/m.so init --save %t/s
// RUN: tgc-run %t/m.so good --load %t/s --save %t/good --host=%t/functions.so --input x=3 2>&1 | FileCheck %s --check-prefix=GOOD
// GOOD: said first
// GOOD-NEXT: square: f32 9
// GOOD-NEXT: said second
// GOOD-NEXT: w: f32[3] [3, 3, 3]
// GOOD-NEXT: y = 9
// RUN: tgc-run %t/m.so show --load %t/good 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: w: f32[3] [3, 3, 3]

// The page of a profile takes a report with steps of the host.
// RUN: tgc-run %t/m.so good --load %t/s --host=%t/functions.so --input x=3 --profile=%t/page.html --report=%t/report.json > %t/out 2>&1
// RUN: FileCheck %s --check-prefix=PAGE < %t/page.html
// PAGE: "host":"call"{{.*}}"profiles":[{{.*}}"kernel":"square"

// A failure changes no variable and ends the run.
// RUN: not tgc-run %t/m.so good --load %t/s --host=%t/functions.so --input x=-1 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: said first
// ASSERT-NEXT: error: TG_ERROR_ASSERT: {{.*}}host.mlir:[[@LINE+62]]:5: tg.assert: the condition is false: x is above 0 [R1]
// RUN: not tgc-run %t/m.so fails --load %t/s --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS-NOT: said
// FAILS: error: TG_ERROR_HOST: {{.*}}host.mlir:{{.*}}: tg.host_call: function 'fails' of the host failed: the disk is full [R1]
// RUN: not tgc-run %t/m.so fails_silently --load %t/s --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT: error: TG_ERROR_HOST: {{.*}}: tg.host_call: function 'fails_silently' of the host failed with status 7 [R1]
// RUN: %root/tools/dev/make-npy.py %t/x.npy f32 5
// RUN: not tgc-run %t/m.so writes_beyond --load %t/s --host=%t/functions.so --input x=%t/x.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: TG_ERROR_HOST: {{.*}}: tg.host_call: function 'writes_beyond' of the host wrote beyond its result 0 [R1]
// RUN: not tgc-run %t/m.so writes_before --load %t/s --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: TG_ERROR_HOST: {{.*}}: tg.host_call: function 'writes_before' of the host wrote beyond its result 0 [R1]
// RUN: not tgc-run %t/m.so changes_shape --load %t/s --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: TG_ERROR_HOST: {{.*}}: tg.host_call: function 'changes_shape' of the host changed the shape, type or address of an array [R1]
// RUN: clang -xc++ -shared -fPIC -Wall -Werror -I%root/include %S/../tgc-check-grad/Inputs/functions.cpp -o %t/throws.so -lstdc++
// RUN: not tgc-run %t/m.so throws --load %t/s --host=%t/throws.so 2>&1 | FileCheck %s --check-prefix=THROWS
// THROWS: error: TG_ERROR_HOST: {{.*}}: tg.host_call: function 'throws' of the host failed: the disk is full [R1]

// Functions are looked up before the first step; libraries are checked.
// RUN: not tgc-run %t/m.so good --load %t/s --input x=3 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: said
// NONE: error: TG_ERROR_NOT_FOUND: {{.*}}host.mlir:{{.*}}: tg.host_call: no function 'first' of the host is registered, expected one [R1]
// RUN: not tgc-run %t/m.so show --load %t/s --host=%t/none.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: error: TG_ERROR_LOAD: --host '{{.*}}none.so': {{.*}}cannot open
// RUN: not tgc-run %t/m.so show --load %t/s --host=%t/m.so 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: error: TG_ERROR_LOAD: --host '{{.*}}m.so': no symbol 'tg_host_get', expected a library that exports a table of functions
// RUN: clang -DONE_TWICE -shared -fPIC -Wall -Werror -I%root/include %S/Inputs/functions.c -o %t/twice.so
// RUN: not tgc-run %t/m.so show --load %t/s --host=%t/twice.so 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: TG_ERROR_LOAD: --host '{{.*}}twice.so': two functions of the table have the name 'square'
// RUN: echo '#include "tg/abi.h"' > %t/bad.cpp
// RUN: echo '#include <stdexcept>' >> %t/bad.cpp
// RUN: echo 'extern "C" const tg_host_t *tg_host_get(uint32_t) { throw std::runtime_error("no licence"); }' >> %t/bad.cpp
// RUN: clang -shared -fPIC -Wall -Werror -I%root/include %t/bad.cpp -o %t/bad.so -lstdc++
// RUN: not tgc-run %t/m.so show --load %t/s --host=%t/bad.so 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: TG_ERROR_LOAD: --host '{{.*}}bad.so': 'tg_host_get' threw: no licence

// A model without host calls needs ABI 1.0, one with host calls ABI 1.1.
// RUN: tgc-run %t/m.so | FileCheck %s --check-prefix=LISTING
// LISTING: model host, ABI 1.1
// LISTING: good (x: f32) -> (y: f32)
// LISTING: calls first () -> () of the host
// LISTING-NEXT: calls square (f32) -> (f32) of the host
// LISTING: writes_beyond (x: f32 [x.0]) -> (y: i8 [x.0])
// LISTING: calls writes_beyond () -> (i8 [?]) of the host
// RUN: tgc %s --functions init,show -o %t/show.so && tgc-run %t/show.so | FileCheck %s --check-prefix=PLAIN
// PLAIN: model host, ABI 1.0

module @host {
  tg.variable @w : tensor<3xf32>
  func.func @init() attributes {tg.role = "init"} {
    %one = tg.constant dense<1.0> : tensor<3xf32>
    tg.assign @w, %one : tensor<3xf32>
    return
  }
  // The assert is after the assign and reads the assigned value.
  func.func @good(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
    tg.host_call "first"() : () -> ()
    %w = tg.read @w : tensor<3xf32>
    %v = tg.mul %w, %x : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    tg.assign @w, %v : tensor<3xf32>
    %least = tg.reduce_min %v : (tensor<3xf32>) -> tensor<f32>
    %zero = tg.constant dense<0.0> : tensor<f32>
    %ok = tg.compare gt, %least, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.assert %ok, "x is above 0" : tensor<i1>
    %y = tg.host_call "square"(%x) {pure} : (tensor<f32>) -> tensor<f32>
    tg.print "square", %y : tensor<f32>
    tg.host_call "second"() : () -> ()
    %new = tg.read @w : tensor<3xf32>
    tg.print "w", %new : tensor<3xf32>
    return %y : tensor<f32>
  }
  func.func @show() {
    %w = tg.read @w : tensor<3xf32>
    tg.print "w", %w : tensor<3xf32>
    return
  }
  func.func @fails() {
    tg.host_call "fails"() : () -> ()
    tg.host_call "first"() : () -> ()
    return
  }
  func.func @fails_silently() {
    tg.host_call "fails_silently"() : () -> ()
    return
  }
  func.func @writes_beyond(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xi8> {tg.name = "y"}) {
    %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
    %y = tg.host_call "writes_beyond"() sizes(%n) : (tensor<i64>) -> tensor<?xi8>
    return %y : tensor<?xi8>
  }
  func.func @writes_before() -> (tensor<16xf64> {tg.name = "y"}) {
    %y = tg.host_call "writes_before"() : () -> tensor<16xf64>
    return %y : tensor<16xf64>
  }
  func.func @changes_shape() -> (tensor<16xf64> {tg.name = "y"}) {
    %y = tg.host_call "changes_shape"() : () -> tensor<16xf64>
    return %y : tensor<16xf64>
  }
  func.func @throws() {
    tg.host_call "throws"() : () -> ()
    return
  }
}
