// RUN: tgc-opt %s --tg-check-module --split-input-file --verify-diagnostics

// The pass reports a violated module rule; each rule is tested in
// test/dialects/tg.
module {
  // expected-error @+1 {{[M2]}}
  func.func @argument_without_name(%x: tensor<4xf32>) {
    return
  }
}

// -----

module {
  func.func @rules_hold(%x: tensor<4xf32> {tg.name = "x"}) {
    return
  }
}
