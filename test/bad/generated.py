"""Bad inputs that are too long, too binary or too many to be stored as files."""

import itertools
import os
import random


class Case:
    """An input of tgc.

    name      the name of its file
    data      its bytes; None if `make` creates something other than a file
    expected  fragments that the messages must all contain
    located   whether a message must name file, line and column
    make      makes the input at a path; by default writes `data`
    output    what to write to, instead of a new file
    """

    def __init__(self, name, data, *expected, located=True, make=None, output=None):
        self.name = name
        self.data = data.encode() if isinstance(data, str) else data
        self.expected = expected or ("error:",)
        self.located = located
        self.make = make or self.write
        self.output = output

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.data)


def function(body):
    return "func.func @f() {\n" + body + "\n  return\n}\n"


def attribute(text):
    """Returns a function with a foreign attribute, which MLIR parses like any other."""
    return "func.func @f() attributes {foo.a = " + text + "} {\n  return\n}\n"


def huge(path):
    """Creates a sparse file of one terabyte."""
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def paths():
    """Yields cases 2 and 3: paths that are no readable files."""
    yield Case("02-directory", None, "is a directory", located=False, make=os.mkdir)
    yield Case("02-pipe", None, "is a pipe", located=False, make=os.mkfifo)
    yield Case("02-device", None, "is a device", located=False,
               make=lambda path: os.symlink("/dev/zero", path))
    yield Case("02-missing", None, "No such file", located=False, make=lambda path: None)
    yield Case("02-no-file-behind-link", None, "No such file", located=False,
               make=lambda path: os.symlink("nowhere", path))
    yield Case("03-size", None, "has 1099511627776 bytes", located=False, make=huge)


def outputs():
    """Yields case 57: paths at which no output can be written."""
    good = function("")
    yield Case("57-output-is-directory", good, "Is a directory", located=False, output="/tmp")
    yield Case("57-output-in-no-directory", good, "No such file", located=False,
               output="/nowhere/at/all.so")
    yield Case("57-output-on-full-device", good, "No space left", located=False,
               output="/dev/full")


def bytes_():
    """Yields cases 4 to 8: files that are no text or only partly text."""
    good = function("").encode()
    yield Case("04-nul", good[:10] + b"\0" + good[10:], "control character 0x00")
    yield Case("04-escape", b"// \x1b[31m\n" + good, "control character 0x1b")
    yield Case("05-utf8-cut", b"// \xe2\x82\n" + good, "expected UTF-8 text")
    yield Case("05-utf8-overlong", b"// \xc0\xaf\n" + good, "expected UTF-8 text")
    yield Case("05-utf8-surrogate", b"// \xed\xa0\x80\n" + good, "expected UTF-8 text")
    refused = "bytecode input is not accepted"
    yield Case("07-bytecode-magic", b"ML\xefR", refused)
    yield Case("07-bytecode-version", b"ML\xefR\x0d\x01MLIR22.1.8\0", refused)
    random.seed(7)
    for size in (1, 100, 100000):
        yield Case(f"08-bytecode-random-{size}", b"ML\xefR" + random.randbytes(size), refused)
    yield Case("08-random", random.randbytes(10000))


def truncations(examples):
    """Yields case 6: a model truncated at every fiftieth of its length."""
    with open(os.path.join(examples, "mlp.mlir"), "rb") as file:
        text = file.read()
    for part in range(1, 50):
        yield Case(f"06-truncated-{part:02}", text[: len(text) * part // 50])


def nesting():
    """Yields case 9: deeply nested texts. Each would crash MLIR's parser."""
    deep = 100000
    refused = "nesting of 257 brackets, expected at most 256"
    for name, start, opening in [
            ("lists", "", "["), ("dictionaries", "", "{a = "), ("dense", "dense<", "["),
            ("tuples", "", "tuple<"), ("functions", "", "() -> ("),
            ("fused-locations", "loc(", "fused["), ("call-locations", "loc(", 'callsite("a" at '),
            ("name-locations", "loc(", '"a"('), ("affine", "affine_map<(d0) -> (", "(")]:
        yield Case("09-nested-" + name, attribute(start + opening * deep), refused)
    yield Case("09-nested-regions", "module {" * deep, refused)
    yield Case("09-signs", attribute("affine_map<(d0) -> (" + "-" * deep + "d0)>"), "operators")
    yield Case("09-sums", attribute("affine_map<(d0) -> (d0" + " + d0" * deep + ")>"), "operators")
    yield Case("09-remainders", attribute("affine_map<(d0) -> (d0" + " mod 3 floordiv 2" * deep + ")>"),
               "operators")


def aliases():
    """Yields case 9 without brackets: aliases that nest, and that double."""
    def chain(prefix, first, link, length):
        lines = [f"{prefix}0 = {first}"]
        lines += [f"{prefix}{i} = " + link.format(f"{prefix}{i - 1}") for i in range(1, length)]
        last = f"{prefix}{length - 1}"
        # An error message reads the location; the others are printed.
        user = (f"func.func @g() -> i32 {{\n  return loc({last})\n}}\n" if "loc(" in first
                else attribute(last))
        return "\n".join(lines) + "\n" + user
    for name, prefix, first, link in [
            ("attributes", "#a", "[1]", "[{0}]"), ("types", "!a", "tuple<i32>", "tuple<{0}>"),
            ("locations", "#a", 'loc("a":1:1)', 'loc("x"({0}))'),
            ("calls", "#a", 'loc("a":1:1)', 'loc(callsite("x" at {0}))')]:
        yield Case("09-alias-chain-" + name, chain(prefix, first, link, 100000), "alias nests")
    for name, prefix, first, link in [
            ("attributes", "#a", "[1]", "[{0}, {0}]"),
            ("types", "!a", "tuple<i32>", "tuple<{0}, {0}>")]:
        yield Case("09-alias-doubles-" + name, chain(prefix, first, link, 200), "aliases stand for")


def literals():
    """Yields cases 10 to 12: long literals, high ranks, large result numbers."""
    for digits in (41, 30000, 1000000):
        yield Case(f"10-digits-{digits}", attribute("1" * digits), f"has {digits} digits")
        yield Case(f"10-digits-of-extent-{digits}", function("").replace(
            "()", "(%x: tensor<" + "1" * digits + 'xf32> {tg.name = "x"})'), f"has {digits} digits")
    yield Case("10-hex-digits", attribute("0x" + "f" * 1000000 + " : i64"), "has 1000000 digits")
    yield Case("10-digits-of-width", attribute("1 : i" + "9" * 1000000), "has 1000000 digits")
    yield Case("11-float-digits", attribute("1." + "3" * 1000000), "float literal has 1000002")
    yield Case("11-float-exponent", attribute("1.0e" + "3" * 1000000), "float literal has")
    for rank in (17, 20000, 1000000):
        yield Case(f"12-rank-{rank}", attribute("tensor<" + "1x" * rank + "f32>"),
                   f"has rank {rank}, expected at most 16 [G1]")
    yield Case("21-result-number", function('  "foo.bar"(%a#4000000000) : (i32) -> ()'),
               "result numbers N of all '%value#N' add up to 4000000000")
    yield Case("17-name-length", function("  " + "a" * 1000000), "name has 1000000 characters")


def masses():
    """Yields case 50: texts with millions of ops, regions or mistakes."""
    refused = "names and regions, expected at most"
    op = "  %c{0} = tg.constant dense<{0}> : tensor<i32>\n"
    for count, last, expected in [(1000000, "", "words, numbers and signs, expected at most"),
                                  (150000, "  tg.nothing\n", "expected an operation, found 'tg.nothing'")]:
        yield streamed(f"50-ops-{count}", lambda count=count, last=last: itertools.chain(
            ["func.func @f() {\n"], (op.format(i) for i in range(count)), [last, "  return\n}\n"]), expected)
    yield Case("50-million-regions", "module {}\n" * 1000000, refused)
    yield Case("50-long-symbol", attribute("@a" + "::@a" * 1000000), refused)
    mistakes = "".join(f"  func.call @g(%a{i}) : (i32) -> ()\n" for i in range(100000))
    yield Case("50-undefined-values", function(mistakes), "error: expected a value that is defined above, found '%")


def streamed(name, pieces, *expected):
    """Returns a case whose text `pieces` generates piece by piece when the case runs."""
    def make(path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(pieces())
    return Case(name, None, *expected, make=make)


def between(start, item, count, end):
    """Returns a generator of a list: `item` for each number from 1 to `count`, with commas."""
    def pieces():
        yield start
        for number in range(1, count):
            yield item.format(number) + ","
        yield item.format(count) + end
    return pieces


def large():
    """Yields case 60: long texts. Texts within the limits of the scan have a mistake at the end."""
    end = "\nfunc.func @g() {\n  tg.nothing\n  return\n}\n"
    mistake = "expected an operation, found 'tg.nothing'"
    counted, differ = "words, numbers and signs, expected at most", "different words and numbers, expected at most"
    start, stop = "func.func @f() attributes {foo.a = ", "} {\n  return\n}" + end

    for count, expected in [(1000000, mistake), (6000000, counted)]:
        yield streamed(f"60-numbers-{count}", between(
            "func.func @f() {\n  %c = tg.constant dense<[", "0.1234567890123456", count,
            f"]> : tensor<{count}xf64>\n  return\n}}" + end), expected)
    for name, item, refused in [("types", "i{}", differ), ("arrays", "[{}]", differ), ("strings", '"{}"', differ),
                                ("maps", "affine_map<(d0)->(d0+{})>", counted)]:
        for count, expected in [(150000, mistake), (300000, refused)]:
            yield streamed(f"60-{name}-{count}", between(start + "[", item, count, "]" + stop), expected)
    for count, expected in [(250000, mistake), (1000000, differ)]:
        yield streamed(f"60-dictionary-{count}", between(start + "{", "a{} = 1", count, "}" + stop), expected)
    yield streamed("60-locations-200000", between(
        "func.func @f() {\n  return\n} loc(fused[", '"a{}":1:1', 200000, "])" + end), mistake)
    yield streamed("60-string-of-48-MB", lambda: [start, '"'] + ["a" * 1000000] * 48 + ['"', stop], mistake)
    elements = 90 * 62500
    yield streamed("60-resource-of-90-MB", lambda: [
        f"func.func @f() {{\n  %c = tg.constant dense_resource<r> : tensor<{elements}xf64>\n  return\n}}", end,
        '{-# dialect_resources: { builtin: { r: "0x08000000'] + ["0123456789abcd3f" * 62500] * 90 + ['" } } #-}\n'], mistake)


def calls():
    """Yields case 25: calls that nest, and that double."""
    def chain(length, calls):
        functions = "".join(
            f"func.func private @f{i}() {{\n" + f"  call @f{i + 1}() : () -> ()\n" * calls
            + "  return\n}\n" for i in range(length))
        return (functions + f"func.func private @f{length}() {{\n  return\n}}\n"
                + function("  call @f0() : () -> ()"))
    yield Case("25-calls-nest", chain(20000, 1), "expected calls nested at most 1000 deep, found one more [M3]")
    yield Case("25-calls-nest-callees-first", backwards(chain(20000, 1)),
               "expected calls nested at most 1000 deep, found one more [M3]")
    yield Case("25-calls-nest-in-a-ring", chain(20000, 1).replace("  return", "  call @f0() : () -> ()\n  return", 20001),
               "expected no recursion, found a recursive call of @f0 [M3]")
    yield Case("25-calls-double", chain(40, 2), "expected inlining to copy at most")


def backwards(text):
    """Returns the functions of a text in reverse order."""
    functions = text.split("func.func")[1:]
    return "".join("func.func" + function for function in reversed(functions))


def numbers(step, count):
    """Returns a function whose output length is the result of applying `step` `count` times."""
    binary = " : (tensor<i64>, tensor<i64>) -> tensor<i64>\n"
    lines = [f"  %{name} = tg.dim %{tensor} {{axis = 0}} : (tensor<?xf32>) -> tensor<i64>\n"
             for name, tensor in [("d0", "x"), ("m", "z")]]
    for i in range(count):
        lines += [f"  %{name}{i + 1 if name == 'd' else i} = tg.{op} %{lhs}, %{rhs}" + binary
                  for name, op, lhs, rhs in step(i)]
    return ('func.func @f(%x: tensor<?xf32> {tg.name = "x"}, %z: tensor<?xf32> {tg.name = "z"})\n'
            '    -> (tensor<?xi64> {tg.name = "y"}) {\n'
            "  %two = tg.constant dense<2> : tensor<i64>\n" + "".join(lines)
            + f"  %y = tg.iota %d{count} {{axis = 0, shape = [-1]}} : (tensor<i64>) -> tensor<?xi64>\n"
            + "  return %y : tensor<?xi64>\n}\n")


def loops(count, times=1):
    """Returns a function with `times` consecutive nests of `count` loops, each of which grows a vector."""
    kind = "tensor<?xf32>"
    text = (f'func.func @f(%x: {kind} {{tg.name = "x"}}, %p: tensor<i1> {{tg.name = "p"}}) -> ({kind} {{tg.name = "y"}}) {{\n'
            f"%y_0 = tg.ensure_shape %x {{shape = [-1], bounds = [64]}} : ({kind}) -> {kind}\n")
    for time in range(times):
        text += f"%a0_{time} = tg.ensure_shape %y_{time} {{shape = [-1], bounds = [64]}} : ({kind}) -> {kind}\n"
        for i in range(count):
            name = f"%y{i}_{time}" if i else f"%y_{time + 1}"
            text += (f"{name} = tg.while inits(%a{i}_{time}) {{max_trip = 2}} : ({kind}) -> {kind} cond {{\n^bb0(%c: {kind}):\n"
                     f"tg.yield %p : tensor<i1>\n}} do {{\n^bb0(%a{i + 1}_{time}: {kind}):\n")
        text += f"%g_{time} = tg.concat %a{count}_{time}, %a{count}_{time} {{axis = 0}} : ({kind}, {kind}) -> {kind}\n"
        for i in range(count, 0, -1):
            value = f"%g_{time}" if i == count else f"%y{i}_{time}"
            text += (f"%e{i}_{time} = tg.ensure_shape {value} {{shape = [-1], bounds = [64]}} : ({kind}) -> {kind}\n"
                     f"tg.yield %e{i}_{time} : {kind}\n}}\n")
    return text + f"return %y_{times} : {kind}\n}}\n"


def expressions():
    """Yields case 59: a few ops whose dimensions are expressions of 2^40 parts or sums of thousands."""
    refused = "to follow from those of the inputs or to have a bound, by an expression of at most 512 parts, found a larger one [R0]"
    steps = {
        "product": lambda i: [("t", "mul", f"d{i}", f"d{i}"), ("d", "add", f"t{i}", "m")],
        "quotient": lambda i: [("s", "div", f"d{i}", "two"), ("t", "add", f"s{i}", f"d{i}"),
                               ("d", "add", f"t{i}", "m")],
        "sum": lambda i: [("s", "mul", f"d{i}", "m"), ("t", "add", f"s{i}", f"d{i}"),
                          ("d", "add", f"t{i}", "m")],
        "maximum": lambda i: [("t", "maximum", f"d{i}", "m"), ("d", "add", f"t{i}", f"d{i}")],
    }
    for name, step in steps.items():
        for count in (40, 4000):
            yield Case(f"59-extent-of-{name}-{count}", numbers(step, count), refused)
    yield Case("59-extents-of-loops", loops(1, 2100), "expected fewer loops whose extents differ from iteration to iteration, found too many")
    types = ", ".join(f"%x{i}: tensor<?xf32> {{tg.name = \"x{i}\"}}" for i in range(2))
    operands, kinds = ", ".join(["%x0", "%x1"] * 8000), ", ".join(["tensor<?xf32>"] * 16000)
    yield Case("59-extent-of-concat",
               f'func.func @f({types}) -> (tensor<?xf32> {{tg.name = "y"}}) {{\n'
               f"  %y = tg.concat {operands} {{axis = 0}} : ({kinds}) -> tensor<?xf32>\n"
               "  return %y : tensor<?xf32>\n}\n", refused)


def gradients():
    """Yields case 59: gradients that multiply."""
    kind = "tensor<4xf32>"

    def model(lines, result):
        return (f'func.func @f(%x: {kind} {{tg.name = "x"}}) -> ({kind} {{tg.name = "y"}}) {{\n  %g0 = tg.tanh %x : {kind}\n'
                + "".join(f"  {line}\n" for line in lines) + f"  return {result} : {kind}\n}}\n")

    def request(of, name):
        return [f"%s{name} = tg.reduce_sum {of} : ({kind}) -> tensor<f32>",
                f"%{name} = tg.gradient %s{name} wrt(%x) {{allow_unconnected}} : (tensor<f32>, {kind}) -> {kind}"]

    orders = [line for i in range(40) for line in request(f"%g{i}", f"g{i + 1}")]
    yield Case("59-gradient-of-order-40", model(orders, "%g40"), "expected all gradients to build at most 65536 ops")
    forward = [f"%g{i + 1} = tg.mul %g{i}, %x : ({kind}, {kind}) -> {kind}" for i in range(10000)]
    many = [line for i in range(40) for line in request("%g10000", f"h{i}")]
    yield Case("59-gradients-40", model(forward + many, "%h39"), "expected all gradients to build at most 65536 ops")
    simple = [f"%h{i} = tg.gradient %s wrt(%x) : (tensor<f32>, {kind}) -> {kind}" for i in range(20000)]
    yield Case("59-gradients-20000", model([f"%s = tg.reduce_sum %g0 : ({kind}) -> tensor<f32>"] + simple, "%h0"),
               "expected all gradients to visit at most 2097152 ops")


def signatures():
    """Yields case 24: more inputs, outputs and dynamic dimensions than a library supports."""
    def model(count, kind, results=1):
        inputs = ",\n".join(f'  %x{i}: {kind} {{tg.name = "x{i}"}}' for i in range(count))
        outputs = ",\n".join(f'  {kind} {{tg.name = "y{i}"}}' for i in range(results))
        values, kinds = ", ".join(["%x0"] * results), ", ".join([kind] * results)
        return f"func.func @f(\n{inputs}) -> (\n{outputs}) {{\n  return {values} : {kinds}\n}}\n"
    yield Case("24-inputs-4097", model(4097, "tensor<f32>"), ":4098:3: error: ",
               "argument 4097: expected at most 4096 inputs of a function, found 4097 [M2]")
    yield Case("24-outputs-4097", model(1, "tensor<f32>", 4097), ":1:1: error: ",
               "result 4097: expected at most 4096 outputs of a function, found 4097 [M2]")
    yield Case("24-unknown-extents-65", model(65, "tensor<?xf32>"), ":66:3: error: ",
               "expected a function with at most 64 unknown extents, found one more: dim 0 of this argument [M7]")
    yield Case("24-unknown-extents-of-outputs",
               model(64, "tensor<?xf32>").replace(
                   "  return %x0", "  %y = tg.concat %x0, %x1 {axis = 0} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
                   "  return %y"), ":68:3: error: ",
               "expected a function with at most 64 unknown extents, found one more: dim 0 of result 0 [M7]")


def cases(examples):
    yield from large()
    yield from expressions()
    yield from gradients()
    yield from signatures()
    yield from calls()
    yield from paths()
    yield from outputs()
    yield from bytes_()
    yield from truncations(examples)
    yield from nesting()
    yield from aliases()
    yield from literals()
    yield from masses()
