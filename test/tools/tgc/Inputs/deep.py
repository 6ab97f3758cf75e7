"""Prints the training step of a network of twelve layers with dropout."""

WIDTHS = [32] + [96, 64, 80, 64] * 3
LAYERS = len(WIDTHS) - 1
lines = []


def put(text):
    lines.append(text)


for i in range(LAYERS):
    put(f"tg.variable @w{i} {{trainable}} : tensor<{WIDTHS[i]}x{WIDTHS[i + 1]}xf32>")
put("tg.variable @step : tensor<i64>")
put('func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {')
put("  %zero = tg.constant dense<0> : tensor<i64>")
put("  %scale = tg.constant dense<0.15> : tensor<f32>")
for i in range(LAYERS):
    type = f"tensor<{WIDTHS[i]}x{WIDTHS[i + 1]}xf32>"
    put(f"  %n{i} = tg.random_normal %seed, %zero {{shape = [{WIDTHS[i]}, {WIDTHS[i + 1]}], stream = {i + 1}}} : (tensor<i64>, tensor<i64>) -> {type}")
    put(f"  %v{i} = tg.mul %n{i}, %scale : ({type}, tensor<f32>) -> {type}")
    put(f"  tg.assign @w{i}, %v{i} : {type}")
put("  tg.assign @step, %zero : tensor<i64>\n  return\n}")
put('func.func @train(%x: tensor<?x32xf32> {tg.name = "x", tg.dims = ["batch", ""]})')
put('    -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {')
put("  %step = tg.read @step : tensor<i64>")
put("  %batch = tg.dim %x {axis = 0} : (tensor<?x32xf32>) -> tensor<i64>")
put("  %rate = tg.constant dense<0.2> : tensor<f32>\n  %none = tg.constant dense<0.0> : tensor<f32>")
last = "%x"
for i in range(LAYERS):
    weight = f"tensor<{WIDTHS[i]}x{WIDTHS[i + 1]}xf32>"
    rows = f"tensor<?x{WIDTHS[i + 1]}xf32>"
    mask = f"tensor<?x{WIDTHS[i + 1]}xi1>"
    put(f"  %w{i} = tg.read @w{i} : {weight}")
    put(f"  %m{i} = tg.matmul {last}, %w{i} : (tensor<?x{WIDTHS[i]}xf32>, {weight}) -> {rows}")
    put(f"  %r{i} = tg.relu %m{i} : {rows}")
    put(f"  %u{i} = tg.random_uniform %step, %step, %batch {{shape = [-1, {WIDTHS[i + 1]}], stream = {i + 50}}} : (tensor<i64>, tensor<i64>, tensor<i64>) -> {rows}")
    put(f"  %k{i} = tg.compare ge, %u{i}, %rate : ({rows}, tensor<f32>) -> {mask}")
    put(f"  %h{i} = tg.select %k{i}, %r{i}, %none : ({mask}, {rows}, tensor<f32>) -> {rows}")
    last = f"%h{i}"
rows = f"tensor<?x{WIDTHS[-1]}xf32>"
put(f"  %square = tg.mul {last}, {last} : ({rows}, {rows}) -> {rows}")
put(f"  %loss = tg.reduce_sum %square : ({rows}) -> tensor<f32>")
names = ", ".join(f"@w{i}" for i in range(LAYERS))
types = ", ".join(f"tensor<{WIDTHS[i]}x{WIDTHS[i + 1]}xf32>" for i in range(LAYERS))
put(f"  %g:{LAYERS} = tg.gradient %loss variables [{names}] : (tensor<f32>) -> ({types})")
put("  %small = tg.constant dense<1.0e-3> : tensor<f32>")
for i in range(LAYERS):
    type = f"tensor<{WIDTHS[i]}x{WIDTHS[i + 1]}xf32>"
    put(f"  %s{i} = tg.mul %g#{i}, %small : ({type}, tensor<f32>) -> {type}")
    put(f"  %new{i} = tg.sub %w{i}, %s{i} : ({type}, {type}) -> {type}")
    put(f"  tg.assign @w{i}, %new{i} : {type}")
put("  %one = tg.constant dense<1> : tensor<i64>")
put("  %next = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>")
put("  tg.assign @step, %next : tensor<i64>\n  return %loss : tensor<f32>\n}")
print("\n".join(lines))
