// RUN: tgc-opt --tgx-expand-math --split-input-file %s | FileCheck %s

// e^x: the integer part comes from the shifter 1.5·2^23 + 254, the scale from
// two factors 2^(n/2).
// CHECK-LABEL: func.func @exp_scalar(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-DAG:     %[[SHIFTER:.*]] = arith.constant 0x4B4000FE : f32
// CHECK:         %[[SUM:.*]] = llvm.intr.fmuladd(%{{.*}}, %{{.*}}, %[[SHIFTER]]) : (f32, f32, f32) -> f32
// CHECK:         arith.subf %[[SUM]], %[[SHIFTER]]
// CHECK:         arith.bitcast %[[SUM]] : f32 to i32
// CHECK-NOT:     math.exp
// CHECK-NOT:     f64
func.func @exp_scalar(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// -----

// A vector is expanded to the same ops as a scalar.
// CHECK-LABEL: func.func @exp_vector(
// CHECK:         arith.constant dense<0x4B4000FE> : vector<16xf32>
// CHECK:         llvm.intr.fmuladd({{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-NOT:     math.exp
func.func @exp_vector(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  return %y : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @expm1(
// CHECK:         math.absf
// CHECK:         arith.select
// CHECK-NOT:     math.expm1
func.func @expm1(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.expm1 %x : vector<8xf64>
  return %y : vector<8xf64>
}

// -----

// f32 logarithms do not divide.
// CHECK-LABEL: func.func @log(
// CHECK-NOT:     arith.divf
// CHECK-NOT:     math.log
// CHECK:         return
func.func @log(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.log %x : vector<4xf32>
  return %y : vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @log1p(
// CHECK-NOT:     arith.divf
// CHECK-NOT:     math.log1p
// CHECK:         return
func.func @log1p(%x: f32) -> f32 {
  %y = math.log1p %x : f32
  return %y : f32
}

// -----

// One division serves all three ranges.
// CHECK-LABEL: func.func @atan(
// CHECK-COUNT-1: arith.divf
// CHECK-NOT:     arith.divf
// CHECK-NOT:     math.atan
// CHECK:         %[[Y:.*]] = math.copysign
// CHECK:         return %[[Y]]
func.func @atan(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.atan %x : vector<8xf64>
  return %y : vector<8xf64>
}

// -----

// CHECK-LABEL: func.func @tanh(
// CHECK-COUNT-1: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         %[[Y:.*]] = math.copysign
// CHECK:         return %[[Y]]
func.func @tanh(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.tanh %x : vector<16xf32>
  return %y : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @erf(
// CHECK-NOT:     arith.divf
// CHECK-NOT:     math.erf
// CHECK:         %[[Y:.*]] = math.copysign
// CHECK:         return %[[Y]]
func.func @erf(%x: f64) -> f64 {
  %y = math.erf %x : f64
  return %y : f64
}

// -----

// f32 powers are computed in f64, which has enough digits.
// CHECK-LABEL: func.func @pow_f32(
// CHECK:         arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NOT:     math.powf
func.func @pow_f32(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %z = math.powf %x, %y : vector<8xf32>
  return %z : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @pow_f64(
// CHECK:         math.copysign
// CHECK-NOT:     math.powf
func.func @pow_f64(%x: f64, %y: f64) -> f64 {
  %z = math.powf %x, %y : f64
  return %z : f64
}

// -----

// The reduction of large angles runs only if a lane has a large angle; f32 is
// computed in f64.
// CHECK-LABEL: func.func @sin(
// CHECK:         arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
// CHECK:         scf.if %[[ANY]] -> (vector<4xf64>, vector<4xf64>)
// CHECK-NOT:     math.sin
func.func @sin(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.sin %x : vector<4xf32>
  return %y : vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @cos(
// CHECK-NOT:     arith.extf
// CHECK:         scf.if %{{.*}} -> (f64, f64)
// CHECK-NOT:     math.cos
func.func @cos(%x: f64) -> f64 {
  %y = math.cos %x : f64
  return %y : f64
}

// -----

// Long division runs as long as any lane has exponent left.
// CHECK-LABEL: func.func @remainder(
// CHECK:         scf.while
// CHECK:           %[[LEFT:.*]] = arith.cmpi sgt
// CHECK:           %[[ANY:.*]] = vector.reduction <or>, %[[LEFT]] : vector<4xi1> into i1
// CHECK:           scf.condition(%[[ANY]])
// CHECK-NOT:     arith.remf
func.func @remainder(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %z = arith.remf %x, %y : vector<4xf32>
  return %z : vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @fma(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
// CHECK-NEXT:    %[[Y:.*]] = llvm.intr.fmuladd(%[[A]], %[[B]], %[[C]])
// CHECK-NEXT:    return %[[Y]]
func.func @fma(%a: f32, %b: f32, %c: f32) -> f32 {
  %y = math.fma %a, %b, %c : f32
  return %y : f32
}

// -----

// Functions that are single instructions are not expanded, nor are other types.
// CHECK-LABEL: func.func @kept(
// CHECK:         math.sqrt
// CHECK:         math.floor
// CHECK:         math.roundeven
// CHECK:         math.exp %{{.*}} : f16
func.func @kept(%x: f32, %h: f16) -> (f32, f16) {
  %a = math.sqrt %x : f32
  %b = math.floor %a : f32
  %c = math.roundeven %b : f32
  %d = math.exp %h : f16
  return %c, %d : f32, f16
}
