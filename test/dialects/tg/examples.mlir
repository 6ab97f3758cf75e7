// The example programs round-trip and satisfy the module rules.
// RUN: tgc-opt %examples/mlir/mlp.mlir --verify-roundtrip --tg-check-module | FileCheck %s --check-prefix=MLP
// RUN: tgc-opt %examples/mlir/curve_fit.mlir --verify-roundtrip --tg-check-module | FileCheck %s --check-prefix=FIT
// RUN: tgc-opt %examples/mlir/two_starts.mlir --verify-roundtrip --tg-check-module | FileCheck %s --check-prefix=TWO

// MLP-LABEL: module @mlp
// MLP: tg.gradient %{{.*}} variables [@w1, @b1, @w2, @b2]
// MLP: tg.update {{\[\[}}@w1, @w1_m, @w1_v], [@b1, @b1_m, @b1_v], [@w2, @w2_m, @w2_v], [@b2, @b2_m, @b2_v]]

// FIT-LABEL: module @curve_fit
// FIT: tg.concat %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64}

// TWO-LABEL: module @two_starts
// TWO: func.func @second
