// Variables are read from a checkpoint, and the comparison is written as JSON.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/m.so && tgc-run %t/m.so init --save %t/start && tgc-run %t/m.so grow --load %t/start --save %t/grown --repeat 3
// RUN: tgc check-grad %s --functions=loss | FileCheck %s --check-prefix=START
// RUN: tgc check-grad %s --functions=loss --weights=%t/grown | FileCheck %s --check-prefix=GROWN
// START: loss: gradient at {{.*}}, target 3
// GROWN: loss: gradient at {{.*}}, target 24

// RUN: tgc check-grad %s --functions=loss --weights=%t/grown --json=%t/right.json | FileCheck %s --check-prefix=GROWN
// RUN: python3 -c "import json; r = json.load(open('%t/right.json')); assert r['wrong'] == 0; q = r['requests'][0]; assert q['target'] == 24 and q['function'] == 'loss' and q['line'] > 0; w = q['wanted'][0]; assert w['name'] == 'w' and w['expected'] and abs(w['found'] - w['expected']) < 1e-5 and w['shape'] == [2] and not w['wrong']; assert q['ops'][0]['op'] == 'tg.mul'"
// RUN: not tgc check-grad %s --functions=wrong --json=- 2>%t/errors | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=ERRORS --input-file=%t/errors
// JSON: {
// JSON-NEXT: "wrong": 2,
// JSON: "function": "wrong"
// JSON: "op": "tg.stop_gradient",
// JSON: "wrong": true,
// JSON-NEXT: "error": 1,
// JSON-NEXT: "found": 0,
// JSON-NEXT: "expected": {{[-0-9.e]+}},
// ERRORS: error: 'tg.stop_gradient' op expected its derivative

// RUN: not tgc check-grad %s --weights=%t/nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: {{.*}}nothing
// RUN: not tgc check-grad %s --functions=loss --json=%t/none/x.json 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: tgc: error: {{.*}}none

module @growing {
  tg.variable @w {trainable} : tensor<2xf32>

  func.func @init() attributes {tg.role = "init"} {
    %start = tg.constant dense<[1.0, 2.0]> : tensor<2xf32>
    tg.assign @w, %start : tensor<2xf32>
    return
  }

  func.func @grow() {
    %w = tg.read @w : tensor<2xf32>
    %two = tg.add %w, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tg.assign @w, %two : tensor<2xf32>
    return
  }

  func.func @loss() -> (tensor<2xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<2xf32>
    %one = tg.constant dense<1.0> : tensor<f32>
    %y = tg.mul %w, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    %loss = tg.reduce_sum %y : (tensor<2xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<2xf32>
    return %g : tensor<2xf32>
  }

  func.func @wrong() -> (tensor<2xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<2xf32>
    %s = tg.stop_gradient %w : tensor<2xf32>
    %y = tg.mul %w, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %loss = tg.reduce_sum %y : (tensor<2xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<2xf32>
    return %g : tensor<2xf32>
  }
}
