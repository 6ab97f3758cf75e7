// Functions that only sample: each run differs, an equal seed repeats a run.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tgc %s -o dice.so
// RUN: tgc-run dice.so | FileCheck %s
// CHECK: model dice, ABI 1.3
// CHECK: roll (seed: i64, call: i64) -> (dice: f32)
// CHECK: takes random samples: seed, call may be omitted
// CHECK: plain (seed: i64) -> (y: i64)
// CHECK-NOT: draws
//
// RUN: tgc-run dice.so roll > first && tgc-run dice.so roll --seed 0 | diff first -
// RUN: tgc-run dice.so roll --input seed=0 --input call=0 | diff first -
// RUN: tgc-run dice.so roll --seed 7 > other && not diff first other
// RUN: tgc-run dice.so roll --seed=7 --input call=0 | diff other -
// RUN: tgc-run dice.so roll --repeat 3 --seed 7 > third && not diff other third
// RUN: tgc-run dice.so roll --seed 7 --input call=2 | diff third -
// RUN: tgc-run dice.so roll --seed -3 > negative && not diff other negative
// RUN: tgc-run dice.so roll --seed 7 --profile 2>/dev/null | diff other -
// RUN: not tgc-run dice.so plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: plain: no input 'seed' was given
// RUN: not tgc-run dice.so roll --seed x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: --seed 'x', expected a whole number from -9223372036854775808 to 9223372036854775807

module @dice {
  func.func @roll(%seed: tensor<i64> {tg.name = "seed", tg.random = "seed"}, %call: tensor<i64> {tg.name = "call", tg.random = "call"})
      -> (tensor<f32> {tg.name = "dice"}) {
    %dice = tg.random_uniform %seed, %call {shape = [], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<f32>
    return %dice : tensor<f32>
  }
  func.func @plain(%seed: tensor<i64> {tg.name = "seed"}) -> (tensor<i64> {tg.name = "y"}) {
    return %seed : tensor<i64>
  }
}
