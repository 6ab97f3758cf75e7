// The code of each target uses the registers of its ISA level and no others.
// RUN: tgc %s --stop-after=object --target=x86-64-v2 | FileCheck %s --check-prefix=V2 --implicit-check-not=ymm --implicit-check-not=zmm --implicit-check-not=vfm
// RUN: tgc %s --stop-after=object | FileCheck %s --check-prefix=V3 --implicit-check-not=zmm
// RUN: tgc %s --stop-after=object --target=x86-64-v4 | FileCheck %s --check-prefix=V4
// RUN: tgc %s -O0 --stop-after=object | FileCheck %s --check-prefix=SCALAR --implicit-check-not=ymm --implicit-check-not=zmm

// V2: mulps {{.*}}%xmm
// V3: vfmadd{{.*}}ps {{.*}}%ymm
// V4: vfmadd{{.*}}ps {{.*}}%zmm
// SCALAR: ss {{.*}}%xmm

func.func @layer(%x: tensor<?x64xf32> {tg.name = "x"}, %w: tensor<64x64xf32> {tg.name = "w"})
    -> (tensor<?x64xf32> {tg.name = "y"}) {
  %h = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %y = tg.relu %h : tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
