// RUN: tgc-opt %s --split-input-file --verify-diagnostics

func.func @device_g5_no_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected tg.device like "gpu:1", found "gpu" [G5]}}
  %result = tg.abs %x {tg.device = "gpu"} : tensor<4xf32>
  return %result : tensor<4xf32>
}

// -----

func.func @device_g5_no_string(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected tg.device like "gpu:1", found 1 : i64 [G5]}}
  %result = tg.abs %x {tg.device = 1} : tensor<4xf32>
  return %result : tensor<4xf32>
}
