// Elements of one and two bytes: the widest type that a kernel computes in
// determines the number of lanes.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s --check-prefixes=CHECK,V4

// CHECK-LABEL: func.func @bytes(
// V2: arith.addi {{.*}} : vector<16xi8>
// V3: arith.addi {{.*}} : vector<32xi8>
// V4: arith.addi {{.*}} : vector<64xi8>
// CHECK-LABEL: func.func @bytes.tiles(
tgx.kernel @bytes loop[s0](%x: tensor<?xi8> [s0], %z: tensor<?xi8> [s0]) {
  %y = tg.add %x, %z : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  tgx.yield %y : tensor<?xi8>
}

// CHECK-LABEL: func.func @booleans(
// V2: arith.andi {{.*}} : vector<16xi1>
// V3: arith.andi {{.*}} : vector<32xi1>
// V4: arith.andi {{.*}} : vector<64xi1>
// CHECK-LABEL: func.func @booleans.tiles(
tgx.kernel @booleans loop[s0](%x: tensor<?xi1> [s0], %z: tensor<?xi1> [s0]) {
  %y = tg.and %x, %z : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  tgx.yield %y : tensor<?xi1>
}

// A conversion computes in the wider type.
// CHECK-LABEL: func.func @halves(
// V2: arith.addi {{.*}} : vector<8xi16>
// V3: arith.addi {{.*}} : vector<16xi16>
// V4: arith.addi {{.*}} : vector<32xi16>
// CHECK-LABEL: func.func @halves.tiles(
tgx.kernel @halves loop[s0](%x: tensor<?xi8> [s0], %z: tensor<?xi16> [s0]) {
  %w = tg.cast %x {element_type = i16} : (tensor<?xi8>) -> tensor<?xi16>
  %y = tg.add %w, %z : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  tgx.yield %y : tensor<?xi16>
}

// No vector unit divides integers; f32 gives exact quotients of bytes.
// CHECK-LABEL: func.func @quotients(
// V2: arith.divf {{.*}} : vector<16xf32>
// V2: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// V4: arith.divf {{.*}} : vector<64xf32>
// CHECK-NOT: arith.divsi {{.*}} : vector
// CHECK-LABEL: func.func @quotients.tiles(
tgx.kernel @quotients loop[s0](%x: tensor<?xi8> [s0], %z: tensor<?xi8> [s0]) {
  %y = tg.div %x, %z : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  tgx.yield %y : tensor<?xi8>
}

// A sum has the lanes of its order, whatever its type is.
// CHECK-LABEL: func.func @sums(
// CHECK: arith.addi {{.*}} : vector<16xi8>
// CHECK-LABEL: func.func @sums.tiles(
tgx.kernel @sums reduction[s0](%x: tensor<8x?xi8> [8, s0]) {
  %y = tg.reduce_sum %x {axes = [1]} : (tensor<8x?xi8>) -> tensor<8xi8>
  tgx.yield %y : tensor<8xi8>
}

// Float sums keep their order: the number of lanes is the one of f32, whatever
// else the kernel reads or computes.
// CHECK-LABEL: func.func @floats(
// V2: arith.addf {{.*}} : vector<4xf32>
// V3: arith.addf {{.*}} : vector<8xf32>
// V4: arith.addf {{.*}} : vector<16xf32>
// CHECK-LABEL: func.func @floats.tiles(
tgx.kernel @floats reduction[s0](%x: tensor<8x?xi8> [8, s0], %z: tensor<8x?xf64> [8, s0]) {
  %w = tg.cast %x {element_type = f32} : (tensor<8x?xi8>) -> tensor<8x?xf32>
  %v = tg.cast %z {element_type = f32} : (tensor<8x?xf64>) -> tensor<8x?xf32>
  %p = tg.mul %w, %v : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
  %y = tg.reduce_sum %p {axes = [1]} : (tensor<8x?xf32>) -> tensor<8xf32>
  tgx.yield %y : tensor<8xf32>
}

// A remainder of one element uses a scalar store: LLVM would lower the masked
// store of a truncated value to a store of four bytes.
// CHECK-LABEL: func.func @one_left(
// V4-NOT: masked.store
// V4: llvm.store {{.*}} : i8, !llvm.ptr
// V4-NOT: masked.store
// CHECK-LABEL: func.func @one_left.tiles(
tgx.kernel @one_left loop(%x: tensor<17xi32>) {
  %y = tg.cast %x {element_type = i8} : (tensor<17xi32>) -> tensor<17xi8>
  tgx.yield %y : tensor<17xi8>
}
