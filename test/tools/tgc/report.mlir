// For each kernel the report has its computation, source and cost, for each
// buffer its placement and lifetime.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/x.so --report=%t/any.json && FileCheck %s --check-prefix=ANY < %t/any.json
// RUN: tgc %s -o %t/x.so --report=%t/eight.json --dim n=8 && FileCheck %s --check-prefix=EIGHT < %t/eight.json
// The text is valid JSON, whatever bytes the names of layers and files have.
// RUN: sed -e 's/"dense"/"a\\FFb"/' -e 's/network.mlir/\\80.mlir/' %s > %t/bytes.mlir
// RUN: tgc %t/bytes.mlir -o %t/x.so --report=%t/bytes.json && python3 -m json.tool %t/bytes.json | FileCheck %s --check-prefix=BYTES
// BYTES: "a\ufffdb"
// BYTES: "\ufffd.mlir:7"
// Data for people only is not in the library.
// RUN: not grep -q first_step %t/x.so

// ANY:      "functions": [
// ANY:          "buffers": [
// ANY-NEXT:       {
// ANY-NEXT:         "above": [],
// ANY-NEXT:         "bytes": "n * 512",
// ANY-NEXT:         "first_step": 0,
// ANY-NEXT:         "id": 0,
// ANY-NEXT:         "last_step": 1
// ANY:          "steps": [
// ANY-NEXT:       {
// ANY-NEXT:         "flops": "n * 16512",
// ANY-NEXT:         "kernel": "matmul_relu__dense_packed",
// ANY-NEXT:         "layers": [
// ANY-NEXT:           "dense"
// ANY-NEXT:         ],
// ANY-NEXT:         "lines": [
// ANY-NEXT:           "network.mlir:7",
// ANY-NEXT:           "network.mlir:8"
// ANY-NEXT:         ],
// ANY-NEXT:         "reads": [
// ANY-NEXT:           {
// ANY-NEXT:             "dims": [
// ANY-NEXT:               "n",
// ANY-NEXT:               64
// ANY-NEXT:             ],
// ANY-NEXT:             "input": "x",
// ANY-NEXT:             "type": "f32"
// ANY:                  "packed": "w",
// ANY:              "traffic_bytes": "n * 768 + 32768",
// ANY-NEXT:         "writes": [
// ANY:                  "type": "f32",
// ANY-NEXT:             "workspace": 0
// ANY:              "flops": "n * 65536",
// ANY:                  "output": "y",
// ANY:          "symbols": [
// ANY-NEXT:       "n"
// ANY:      "kernels": [
// ANY:          "algorithm": "panels",
// ANY:          "layers": [
// ANY-NEXT:       "dense"
// ANY-NEXT:     ],
// ANY-NEXT:     "lines": [
// ANY:            "network.mlir:7",
// ANY-NEXT:       "network.mlir:8"
// ANY-NEXT:     ],
// ANY-NEXT:     "name": "matmul_relu__dense_packed",
// ANY-NEXT:     "ops": [
// ANY:            "tg.matmul",
// ANY-NEXT:       "tg.relu"
// ANY:      "variables": [
// ANY:          "bytes": 131072,
// ANY-NEXT:     "name": "v",
// ANY-NEXT:     "offset": 36864

// EIGHT:      "buffers": [
// EIGHT-NEXT:   {
// EIGHT-NEXT:     "bytes": 4096,
// EIGHT-NEXT:     "first_step": 0,
// EIGHT-NEXT:     "id": 0,
// EIGHT-NEXT:     "last_step": 1,
// EIGHT-NEXT:     "offset": 0
// EIGHT:          "flops": 132096,

tg.variable @w : tensor<64x128xf32>
tg.variable @v : tensor<128x256xf32>
func.func @f(%x: tensor<?x64xf32> {tg.name = "x", tg.dims = ["n", ""]})
    -> (tensor<?x256xf32> {tg.name = "y", tg.dims = ["n", ""]}) {
  %w = tg.read @w : tensor<64x128xf32>
  %v = tg.read @v : tensor<128x256xf32>
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32> loc("dense"("network.mlir":7:8))
  %r = tg.relu %h : tensor<?x128xf32> loc("dense"("network.mlir":8:8))
  %y = tg.matmul %r, %v : (tensor<?x128xf32>, tensor<128x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
