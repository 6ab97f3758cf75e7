// A library runs all ops on one device. Ops that were placed on another device
// are listed in the report, or are an error.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/soft.so --report=%t/soft.json
// RUN: FileCheck %s --check-prefix=SOFT < %t/soft.json
// RUN: not tgc %s -o %t/hard.so --hard-placement 2>&1 | FileCheck %s --check-prefix=HARD
// RUN: not ls %t/hard.so
// Ops placed on the library's own device, or nowhere, are not mentioned.
// RUN: sed -e 's/"cpu:1"/"cpu:0"/' -e 's/"gpu:3"/"cpu:0"/' %s > %t/here.mlir
// RUN: tgc %t/here.mlir -o %t/here.so --hard-placement --report=%t/here.json
// RUN: FileCheck %s --check-prefix=HERE < %t/here.json

// SOFT:      "placements": [
// SOFT-NEXT:   {
// SOFT-NEXT:     "device": "cpu:1",
// SOFT-NEXT:     "operations": 2,
// SOFT-NEXT:     "runs_on": "cpu:0"
// SOFT-NEXT:   },
// SOFT-NEXT:   {
// SOFT-NEXT:     "device": "gpu:3",
// SOFT-NEXT:     "operations": 1,
// SOFT-NEXT:     "runs_on": "cpu:0"
// SOFT-NEXT:   }
// HARD: placement.mlir:[[@LINE+5]]:{{[0-9]+}}: error: expected cpu:0, the only device of a library, because placement is hard, found 'cpu:1'
// HARD-NOT: error
// HERE-NOT: placements

func.func @f(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
  %a = tg.exp %x {tg.device = "cpu:1"} : tensor<4xf32>
  %b = tg.log %a {tg.device = "cpu:1"} : tensor<4xf32>
  %c = tg.neg %b {tg.device = "gpu:3"} : tensor<4xf32>
  %y = tg.add %c, %x {tg.device = "cpu:0"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
