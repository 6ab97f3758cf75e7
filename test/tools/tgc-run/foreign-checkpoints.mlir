// Checkpoints of other programs and models load with their values. y = x w + b;
// w has 2 rows and 3 columns.
// RUN: rm -rf %t && split-file %s %t && cd %t && tgc serve.mlir -o serve.so && tgc reg.mlir -o reg.so

// A linear layer as PyTorch saves it: other names, and the weight as [out, in].
// RUN: python3 %S/Inputs/write-safetensors.py torch.st model.fc.weight=F32:3,2=1,2,3,4,5,6 model.fc.bias=F32:3=10,20,30
// RUN: tgc-run serve.so at --load torch.st --rename-transposed model.fc.weight=fc/weight --rename model.fc.bias=fc/bias --input i=0 | FileCheck serve.mlir --check-prefix=FIRST
// RUN: tgc-run serve.so at --load torch.st --rename-transposed model.fc.weight=fc/weight --strip-prefix model.fc. --add-prefix fc/ --input i=2 | FileCheck serve.mlir --check-prefix=LAST

// Without the transposition the error shows both shapes.
// RUN: not tgc-run serve.so at --load torch.st --strip-prefix model.fc. --add-prefix fc/ --input i=0 2>&1 | FileCheck serve.mlir --check-prefix=SHAPE

// A training checkpoint has variables that the inference model lacks.
// RUN: tgc-run reg.so train --input rate=1.0 --save reg.st
// RUN: not tgc-run serve.so at --load reg.st --input i=0 2>&1 | FileCheck serve.mlir --check-prefix=EXACT
// RUN: tgc-run serve.so at --load reg.st --ignore-others --input i=0 | FileCheck serve.mlir --check-prefix=TRAINED
// Conversely, training resumes from its own checkpoint only.
// RUN: tgc-run serve.so at --load reg.st --ignore-others --input i=0 --save serve.st
// RUN: not tgc-run reg.so train --load serve.st --ignore-others --input rate=1.0 2>&1 | FileCheck serve.mlir --check-prefix=MISSING

// One tensor fills two variables; booleans of other programs become 0 or 1.
// RUN: python3 %S/Inputs/write-safetensors.py tied.st w=F32:2=3,4 flags=BOOL:2=2,0
// RUN: tgc tied.mlir -o tied.so && tgc-run tied.so sum --load tied.st --rename w=in --rename w=out --save tied2.st | FileCheck tied.mlir
// RUN: python3 -c "print(list(open('tied2.st', 'rb').read()[-2:]))" | FileCheck tied.mlir --check-prefix=TRUTHS

//--- serve.mlir
// FIRST: y = 15
// LAST: y = 47
// SHAPE: TG_ERROR_DIM: 'torch.st': tensor 'model.fc.weight': dim 0 is 3, expected 2
// EXACT: TG_ERROR_NOT_FOUND: 'reg.st' is a checkpoint of model 'reg', expected 'serve' of 'serve.so': too many 'step', 'fc/bias.m'
// TRAINED: y = 12
// MISSING: TG_ERROR_NOT_FOUND: 'serve.st' is a checkpoint of model 'serve', expected 'reg' of 'reg.so': missing 'fc/bias.m', 'step'
tg.variable @"fc/weight" : tensor<2x3xf32>
tg.variable @"fc/bias" : tensor<3xf32>
func.func @init() attributes {tg.role = "init"} {
  %w = tg.constant dense<1.0> : tensor<2x3xf32>
  tg.assign @"fc/weight", %w : tensor<2x3xf32>
  %b = tg.constant dense<0.0> : tensor<3xf32>
  tg.assign @"fc/bias", %b : tensor<3xf32>
  return
}
func.func @at(%i: tensor<i32> {tg.name = "i"}) -> (tensor<f32> {tg.name = "y"}) {
  %x = tg.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = tg.read @"fc/weight" : tensor<2x3xf32>
  %b = tg.read @"fc/bias" : tensor<3xf32>
  %p = tg.matmul %x, %w : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %row = tg.reshape %p {shape = [3]} : (tensor<1x3xf32>) -> tensor<3xf32>
  %s = tg.add %row, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = tg.gather %s, %i : (tensor<3xf32>, tensor<i32>) -> tensor<f32>
  return %y : tensor<f32>
}

//--- reg.mlir
tg.variable @"fc/weight" : tensor<2x3xf32>
tg.variable @"fc/bias" : tensor<3xf32>
tg.variable @"fc/bias.m" : tensor<3xf32>
tg.variable @step : tensor<i64>
func.func @init() attributes {tg.role = "init"} {
  %w = tg.constant dense<2.0> : tensor<2x3xf32>
  tg.assign @"fc/weight", %w : tensor<2x3xf32>
  %b = tg.constant dense<5.0> : tensor<3xf32>
  tg.assign @"fc/bias", %b : tensor<3xf32>
  tg.assign @"fc/bias.m", %b : tensor<3xf32>
  %0 = tg.constant dense<0> : tensor<i64>
  tg.assign @step, %0 : tensor<i64>
  return
}
func.func @train(%rate: tensor<f32> {tg.name = "rate"}) {
  %b = tg.read @"fc/bias" : tensor<3xf32>
  %m = tg.read @"fc/bias.m" : tensor<3xf32>
  %w = tg.read @"fc/weight" : tensor<2x3xf32>
  %w1 = tg.mul %w, %rate : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  tg.assign @"fc/weight", %w1 : tensor<2x3xf32>
  %b1 = tg.add %b, %rate : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  tg.assign @"fc/bias", %b1 : tensor<3xf32>
  %m1 = tg.add %m, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  tg.assign @"fc/bias.m", %m1 : tensor<3xf32>
  %s = tg.read @step : tensor<i64>
  %one = tg.constant dense<1> : tensor<i64>
  %s1 = tg.add %s, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
  tg.assign @step, %s1 : tensor<i64>
  return
}

//--- tied.mlir
// CHECK: y = 14
// TRUTHS: [1, 0]
tg.variable @in : tensor<2xf32>
tg.variable @out : tensor<2xf32>
tg.variable @flags : tensor<2xi1>
func.func @sum() -> (tensor<f32> {tg.name = "y"}, tensor<2xi1> {tg.name = "f"}) {
  %f = tg.read @flags : tensor<2xi1>
  %a = tg.read @in : tensor<2xf32>
  %b = tg.read @out : tensor<2xf32>
  %c = tg.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = tg.reduce_sum %c : (tensor<2xf32>) -> tensor<f32>
  return %y, %f : tensor<f32>, tensor<2xi1>
}
