"""deep.py N: prints a model of N layers, each in its own kernel and on its own line."""

import sys

count = int(sys.argv[1])
print("module @deep {")
for i in range(count):
    print(f"  tg.variable @w{i} : tensor<32x32xf32>")
print('  func.func @init() attributes {tg.role = "init"} {')
print("    %zero = tg.constant dense<0.0> : tensor<32x32xf32>")
for i in range(count):
    print(f"    tg.assign @w{i}, %zero : tensor<32x32xf32>")
print("    return\n  }")
print('  func.func @f(%x0: tensor<?x32xf32> {tg.name = "x"}) -> (tensor<?x32xf32> {tg.name = "y"}) {')
for i in range(count):
    place = f'loc("block{i}"("deep.cpp":{i + 1}:1))'
    print(f"    %w{i} = tg.read @w{i} : tensor<32x32xf32>")
    print(f"    %h{i} = tg.matmul %x{i}, %w{i} : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32> {place}")
    print(f"    %x{i + 1} = tg.tanh %h{i} : tensor<?x32xf32> {place}")
print(f"    return %x{count} : tensor<?x32xf32>\n  }}\n}}")
