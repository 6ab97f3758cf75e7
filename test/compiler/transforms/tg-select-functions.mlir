// RUN: tgc-opt %s --tg-select-functions="keep=both:negative" | FileCheck %s --check-prefix=KEEP
// RUN: not tgc-opt %s --tg-select-functions="keep=none:negative" 2>&1 | FileCheck %s --check-prefix=KEEP-FUNCTION
// RUN: not tgc-opt %s --tg-select-functions="keep=both:positive" 2>&1 | FileCheck %s --check-prefix=KEEP-OUTPUT
// RUN: tgc-opt %s --tg-select-functions="functions=one" | FileCheck %s --check-prefix=ONE
// RUN: tgc-opt %s --tg-select-functions="functions=one keep=one:y" | FileCheck %s --check-prefix=ONE
// RUN: tgc-opt %s --tg-select-functions="functions=one,both,init" | FileCheck %s --check-prefix=ALL
// RUN: tgc-opt %s --tg-select-functions | FileCheck %s --check-prefix=ALL
// RUN: not tgc-opt %s --tg-select-functions="functions=one,none" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tgc-opt %s --tg-select-functions="functions=one keep=both:relu" 2>&1 | FileCheck %s --check-prefix=KEEP-REMOVED

// KEEP-FUNCTION: error: option 'keep': expected functions of the model (init, both, one), found 'none'
// KEEP-OUTPUT: error: option 'keep': expected outputs of function 'both' (relu, negative), found 'positive'
// FUNCTION: error: option 'functions': expected functions of the model (init, both, one), found 'none'
// KEEP-REMOVED: error: option 'keep': expected functions of the model (init, one), found 'both'

// `init` is kept whatever functions are selected.
// ONE: func.func @init
// ONE-NOT: func.func @both
// ONE: func.func @one
// ALL: func.func @init
// ALL: func.func @both
// ALL: func.func @one
func.func @init() attributes {tg.role = "init"} {
  return
}

// KEEP-LABEL: func.func @both
// KEEP-SAME: -> (tensor<f32> {tg.name = "negative"})
// KEEP: %[[N:.*]] = tg.neg
// KEEP: return %[[N]] : tensor<f32>
func.func @both(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "relu"}, tensor<f32> {tg.name = "negative"}) {
  %r = tg.relu %x : tensor<f32>
  %n = tg.neg %x : tensor<f32>
  return %r, %n : tensor<f32>, tensor<f32>
}

// KEEP-LABEL: func.func @one
// KEEP-SAME: -> (tensor<f32> {tg.name = "y"})
func.func @one(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) {
  return %x : tensor<f32>
}
