// A library is written atomically and deterministically, and describes itself.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/first.so --report=%t/report.json --timing 2> %t/timing
// RUN: tgc - -o %t/second.so < %s
// RUN: tgc %s -O0 -o %t/plain.so
// RUN: tgc-run %t/first.so | FileCheck %s --check-prefix=SIGNATURE
// RUN: FileCheck %s --check-prefix=REPORT < %t/report.json
// RUN: FileCheck %s --check-prefix=TIMING < %t/timing
// RUN: tgc %s -o %t/third.so && cmp %t/first.so %t/third.so
// RUN: llvm-readelf --dyn-syms %t/first.so | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-readelf -S %t/first.so | FileCheck %s --check-prefix=SECTIONS
// RUN: llvm-readelf -d %t/first.so | FileCheck %s --check-prefix=DYNAMIC
// RUN: tgc %s -o %t/native.so --target-cpu=native && tgc-run %t/native.so | FileCheck %s --check-prefix=NATIVE
// RUN: tgc %s -o %t/levels.so --levels=native && tgc-run %t/levels.so | FileCheck %s --check-prefix=NATIVE
// RUN: tgc %s -o %t/levels.so --levels=v3,x86-64-v2,v3 && tgc-run %t/levels.so | FileCheck %s --check-prefix=TWO
// RUN: tgc %s -o %t/one.so --target=x86-64-v2 && tgc-run %t/one.so | FileCheck %s --check-prefix=ONE
// RUN: ls %t | FileCheck %s --check-prefix=FILES

// SIGNATURE: scale
// SIGNATURE: kernels
// SIGNATURE-NEXT: mul__scale: loop, launches 1
// NATIVE: targets: x86-64-v{{[234]}} (used here)
// ONE: targets: x86-64-v2 (used here)
// TWO: targets: x86-64-v2{{.*}}x86-64-v3
// REPORT: "file_bytes"
// REPORT: "functions"
// REPORT: "name": "scale"
// REPORT: "kernels"
// REPORT: "name": "mul__scale"
// REPORT: "strategy": "loop"
// REPORT: "phases"
// TIMING: graph
// TIMING: schedule
// TIMING: object
// TIMING: tables
// TIMING: s  x86-64-v2 emission
// TIMING-NEXT: s  loop
// TIMING-NEXT: s  loops
// TIMING-NEXT: s  LLVM dialect
// TIMING-NEXT: s  LLVM IR
// TIMING-NEXT: s  x86-64-v2 LLVM
// TIMING-NEXT: s  loop
// TIMING-NEXT: s  passes
// TIMING-NEXT: s  preparation
// TIMING-NEXT: {{ 0.(0*[1-9][0-9]*)}} s  instruction selection
// TIMING-NEXT: {{ 0.(0*[1-9][0-9]*)}} s  scheduling and registers
// TIMING-NEXT: s  object file
// TIMING: s  x86-64-v4 LLVM
// TIMING: library
// TIMING-NEXT: linking
// TIMING: total
// SYMBOLS: FUNC GLOBAL DEFAULT {{[0-9]+}} tg_model_get
// SYMBOLS-NOT: FUNC GLOBAL DEFAULT {{[0-9]+}} {{.+}}
// SECTIONS-NOT: {{ \.(data|bss|tdata|tbss|init_array|symtab|debug_info) }}
// DYNAMIC-NOT: TEXTREL
// DYNAMIC-NOT: NEEDED
// DYNAMIC: BIND_NOW
// FILES: first.so
// FILES-NEXT: levels.so
// FILES-NEXT: native.so
// FILES-NEXT: one.so
// FILES-NEXT: plain.so
// FILES-NEXT: report.json
// FILES-NEXT: second.so
// FILES-NEXT: third.so
// FILES-NEXT: timing

module @scaler {
  func.func @scale(%x: tensor<?xf32> {tg.name = "x"}, %by: tensor<f32> {tg.name = "by"})
      -> (tensor<?xf32> {tg.name = "y"}) {
    %y = tg.mul %x, %by : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
