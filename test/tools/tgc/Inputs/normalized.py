"""Prints a convolutional network with batch normalization, a concatenation and
a residual in each block, and its training step."""

WIDTH = 16
BLOCKS = 3
IMAGES = "4x12x12"
lines = []
variables = []


def put(text):
    lines.append(text)


def tensor(extents):
    return f"tensor<{extents}xf32>"


def variable(name, extents):
    variables.append((name, extents))
    return name


def normalize(name, value, width):
    """Returns the batch normalization of a value, followed by a relu."""
    full, row = tensor(f"{IMAGES}x{width}"), tensor(width)
    gamma, beta = variable(f"gamma{name}", width), variable(f"beta{name}", width)
    put(f"  %gamma{name} = tg.read @{gamma} : {row}")
    put(f"  %beta{name} = tg.read @{beta} : {row}")
    put(f"  %sum{name} = tg.reduce_sum {value} {{axes = [0, 1, 2]}} : ({full}) -> {row}")
    put(f"  %mean{name} = tg.div %sum{name}, %count : ({row}, tensor<f32>) -> {row}")
    put(f"  %c{name} = tg.sub {value}, %mean{name} : ({full}, {row}) -> {full}")
    put(f"  %sq{name} = tg.mul %c{name}, %c{name} : ({full}, {full}) -> {full}")
    put(f"  %ss{name} = tg.reduce_sum %sq{name} {{axes = [0, 1, 2]}} : ({full}) -> {row}")
    put(f"  %var{name} = tg.div %ss{name}, %count : ({row}, tensor<f32>) -> {row}")
    put(f"  %e{name} = tg.add %var{name}, %epsilon : ({row}, tensor<f32>) -> {row}")
    put(f"  %d{name} = tg.sqrt %e{name} : {row}")
    put(f"  %f{name} = tg.div %gamma{name}, %d{name} : ({row}, {row}) -> {row}")
    put(f"  %n{name} = tg.mul %c{name}, %f{name} : ({full}, {row}) -> {full}")
    put(f"  %b{name} = tg.add %n{name}, %beta{name} : ({full}, {row}) -> {full}")
    put(f"  %y{name} = tg.relu %b{name} : {full}")
    return f"%y{name}"


def convolve(name, value, before, after, extent):
    filter = f"{extent}x{extent}x{before}x{after}"
    put(f"  %w{name} = tg.read @{variable(f'w{name}', filter)} : {tensor(filter)}")
    put(f"  %x{name} = tg.conv {value}, %w{name} {{padding = \"same\"}} : ({tensor(f'{IMAGES}x{before}')}, {tensor(filter)}) -> {tensor(f'{IMAGES}x{after}')}")
    return f"%x{name}"


put(f'func.func @train(%x: {tensor(f"{IMAGES}x{WIDTH}")} {{tg.name = "x"}}) -> (tensor<f32> {{tg.name = "loss"}}) attributes {{tg.role = "train"}} {{')
put("  %count = tg.constant dense<576.0> : tensor<f32>\n  %epsilon = tg.constant dense<1.0e-3> : tensor<f32>")
full = tensor(f"{IMAGES}x{WIDTH}")
wide = tensor(f"{IMAGES}x{2 * WIDTH}")
last = "%x"
for i in range(BLOCKS):
    one = normalize(f"a{i}", convolve(f"a{i}", last, WIDTH, WIDTH, 3), WIDTH)
    put(f"  %j{i} = tg.concat {one}, {last} {{axis = 3}} : ({full}, {full}) -> {wide}")
    two = normalize(f"b{i}", f"%j{i}", 2 * WIDTH)
    three = convolve(f"c{i}", two, 2 * WIDTH, WIDTH, 1)
    put(f"  %r{i} = tg.add {three}, {last} : ({full}, {full}) -> {full}")
    last = f"%r{i}"
put(f"  %square = tg.mul {last}, {last} : ({full}, {full}) -> {full}")
put(f"  %total = tg.reduce_sum %square : ({full}) -> tensor<f32>\n  %loss = tg.div %total, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>")
names = ", ".join(f"@{name}" for name, _ in variables)
types = ", ".join(tensor(extents) for _, extents in variables)
put(f"  %g:{len(variables)} = tg.gradient %loss variables [{names}] : (tensor<f32>) -> ({types})")
put("  %small = tg.constant dense<1.0e-2> : tensor<f32>")
for i, (name, extents) in enumerate(variables):
    type = tensor(extents)
    put(f"  %s{i} = tg.mul %g#{i}, %small : ({type}, tensor<f32>) -> {type}")
    put(f"  %o{i} = tg.read @{name} : {type}")
    put(f"  %new{i} = tg.sub %o{i}, %s{i} : ({type}, {type}) -> {type}")
    put(f"  tg.assign @{name}, %new{i} : {type}")
put("  return %loss : tensor<f32>\n}")

put('func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {')
put("  %zero = tg.constant dense<0> : tensor<i64>\n  %scale = tg.constant dense<0.15> : tensor<f32>")
for i, (name, extents) in enumerate(variables):
    type, shape = tensor(extents), str(extents).replace("x", ", ")
    put(f"  %n{i} = tg.random_normal %seed, %zero {{shape = [{shape}], stream = {i + 1}}} : (tensor<i64>, tensor<i64>) -> {type}")
    put(f"  %v{i} = tg.mul %n{i}, %scale : ({type}, tensor<f32>) -> {type}")
    put(f"  tg.assign @{name}, %v{i} : {type}")
put("  return\n}")
print("\n".join([f"tg.variable @{name} {{trainable}} : {tensor(extents)}" for name, extents in variables] + lines))
