"""Prints the training step of a network of eight layers with a loop over rows in the middle."""

LAYERS = 8
WIDTH = 64
rows = f"tensor<64x{WIDTH}xf32>"
weight = f"tensor<{WIDTH}x{WIDTH}xf32>"
lines = [f"tg.variable @w{i} {{trainable}} : {weight}" for i in range(LAYERS)]
lines.append('func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {')
lines.append("  %zero = tg.constant dense<0> : tensor<i64>\n  %scale = tg.constant dense<0.15> : tensor<f32>")
for i in range(LAYERS):
    lines.append(f"  %n{i} = tg.random_normal %seed, %zero {{shape = [{WIDTH}, {WIDTH}], stream = {i + 1}}} : (tensor<i64>, tensor<i64>) -> {weight}\n"
                 f"  %v{i} = tg.mul %n{i}, %scale : ({weight}, tensor<f32>) -> {weight}\n"
                 f"  tg.assign @w{i}, %v{i} : {weight}")
lines.append("  return\n}")
lines.append(f'func.func @train(%x: {rows} {{tg.name = "x"}}) -> (tensor<f32> {{tg.name = "loss"}}) {{')
last = "%x"
for i in range(LAYERS):
    lines.append(f"  %w{i} = tg.read @w{i} : {weight}")
    if i == LAYERS // 2:
        row = f"tensor<{WIDTH}xf32>"
        lines.append(f"  %start = tg.constant dense<0.0> : {row}\n"
                     f"  %end, %all = tg.scan inits(%start) inputs({last}) : ({row}, {rows}) -> ({row}, {rows}) {{\n"
                     f"  ^bb0(%s: {row}, %e: {row}):\n"
                     f"    %sum = tg.add %s, %e : ({row}, {row}) -> {row}\n"
                     f"    %t = tg.tanh %sum : {row}\n"
                     f"    tg.yield %t, %t : {row}, {row}\n  }}")
        last = "%all"
    lines.append(f"  %m{i} = tg.matmul {last}, %w{i} : ({rows}, {weight}) -> {rows}\n"
                 f"  %h{i} = tg.tanh %m{i} : {rows}")
    last = f"%h{i}"
lines.append(f"  %square = tg.mul {last}, {last} : ({rows}, {rows}) -> {rows}\n"
             f"  %loss = tg.reduce_sum %square : ({rows}) -> tensor<f32>")
names = ", ".join(f"@w{i}" for i in range(LAYERS))
types = ", ".join([weight] * LAYERS)
lines.append(f"  %g:{LAYERS} = tg.gradient %loss variables [{names}] : (tensor<f32>) -> ({types})\n"
             "  %small = tg.constant dense<1.0e-3> : tensor<f32>")
for i in range(LAYERS):
    lines.append(f"  %s{i} = tg.mul %g#{i}, %small : ({weight}, tensor<f32>) -> {weight}\n"
                 f"  %new{i} = tg.sub %w{i}, %s{i} : ({weight}, {weight}) -> {weight}\n"
                 f"  tg.assign @w{i}, %new{i} : {weight}")
lines.append("  return %loss : tensor<f32>\n}")
print("\n".join(lines))
