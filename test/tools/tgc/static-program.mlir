// Two models linked into one program do not interfere.
// RUN: rm -rf %t && mkdir %t
// RUN: tgc %s -o %t/one.o --symbol-prefix=one
// RUN: sed 's/tg.add/tg.mul/; s/@doubles/@squares/' %s > %t/two.mlir
// RUN: tgc %t/two.mlir -o %t/two.o --symbol-prefix=two
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%root/include %S/Inputs/two-models.c %t/one.o %t/two.o -o %t/program
// RUN: %t/program | FileCheck %s
// The same in a program that is not position independent.
// RUN: clang -std=c11 -I%root/include -no-pie -fno-pie %S/Inputs/two-models.c %t/one.o %t/two.o -o %t/fixed
// RUN: %t/fixed | FileCheck %s
// The same in C++ through the wrapper, declared in a namespace or not.
// RUN: clang++ -std=c++20 -Wall -Wextra -Wshadow -Werror -I%root/include %S/Inputs/two-models.cpp %t/one.o %t/two.o -L%build/lib -ltgrt -Wl,-rpath,%build/lib -o %t/program++
// RUN: %t/program++ | FileCheck %s

// CHECK: doubles: 6 -8
// CHECK: squares: 9 16
module @doubles {
  func.func @f(%x: tensor<?xf32> {tg.name = "x"}) -> (tensor<?xf32> {tg.name = "y"}) {
    %y = tg.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
