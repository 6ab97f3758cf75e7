// Two models with different prefixes link into one program.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/one.o --symbol-prefix=one
// RUN: tgc %s -o %t/two.o --symbol-prefix=two
// RUN: llvm-nm --extern-only --defined-only %t/one.o | FileCheck %s --check-prefix=ONE
// RUN: ld.lld -r %t/one.o %t/two.o -o %t/both.o
// RUN: llvm-nm --extern-only --defined-only %t/both.o | FileCheck %s --check-prefix=BOTH

// ONE: T one_tg_model_get
// ONE-NOT: {{.}}
// BOTH: T one_tg_model_get
// BOTH-NEXT: T two_tg_model_get
// BOTH-NOT: {{.}}

func.func @double(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
  %y = tg.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
