// `init` loses its seed and assigns the values of the file; other tensors of the
// file are ignored.
// RUN: python3 -c "import struct, sys; h = b'{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},\"other\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}'; sys.stdout.buffer.write(struct.pack('<Q', len(h)) + h + struct.pack('<fff', 0.5, -2.0, 9.0))" > %t.safetensors
// RUN: tgc-opt %s --tg-embed-weights="file=%t.safetensors" --mlir-pass-statistics 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATISTICS < %t.err
// RUN: tgc-opt %s --tg-embed-weights | FileCheck %s --check-prefix=NONE

// CHECK: func.func @init() attributes {tg.role = "init"} {
// CHECK-NEXT: %[[W:.*]] = tg.constant dense<[5.000000e-01, -2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: tg.assign @w, %[[W]]
// CHECK-NEXT: return
// NONE: func.func @init(%{{.*}}: tensor<i64>)
// NONE: tg.random_normal
// STATISTICS: 8 bytes-embedded
tg.variable @w {trainable} : tensor<2xf32>
func.func @init(%seed: tensor<i64>) attributes {tg.role = "init"} {
  %w = tg.random_normal %seed, %seed {shape = [2], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<2xf32>
  tg.assign @w, %w : tensor<2xf32>
  return
}
