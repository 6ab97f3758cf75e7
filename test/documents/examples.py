#!/usr/bin/env python3
"""Runs the examples of the op and pass references that the build generates.

    examples.py ops REFERENCE...      every operation has an example that verifies
    examples.py passes REFERENCE...   every pass turns its example into the text after `// =>`
    examples.py show REFERENCE PASS   prints the result of a pass on its example

An example is a block that begins with ```mlir. Values that it uses and does
not define become arguments, and it may use the variables of VARIABLES; or it
is a whole module. A pass example may begin with `// tgc-opt` and options.
"""

import difflib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.M | re.S)
ARROW = "\n// =>\n"
VARIABLES = """tg.variable @w {trainable} : tensor<784x10xf32>
tg.variable @w_m {slot_of = @w} : tensor<784x10xf32>
tg.variable @b {trainable} : tensor<10xf32>
"""


def chapters(path):
    """Returns (name, text) of the introduction and of every operation or pass of a reference."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^### `-?([\w.-]+)`.*$", file.read(), flags=re.M)
    if len(parts) < 3:
        sys.exit(f"error: {path} has no chapter")
    return list(zip(["introduction"] + parts[1::2], parts[::2]))


def tgc_opt(text, *options):
    """Returns the output of tgc-opt, and its messages if it fails."""
    run = subprocess.run(["tgc-opt", *options, "-"], input=text, capture_output=True, text=True,
                         check=False)
    return run.stdout, run.stderr if run.returncode else ""


def typed_operands(statement):
    """Returns the operands of an operation with their types."""
    operands, _, types = re.sub(r"\{[^{}]*\}", "", statement).partition(" : ")
    names = re.findall(r"%\w+", operands.split(" = ", 1)[-1])
    listed = re.match(r"\((.*?)\)\s*->", types, re.S)
    if not listed:
        return [(name, types.split("\n")[0]) for name in names]
    # Do not split at commas inside brackets.
    return list(zip(names, re.findall(r"\w+(?:<[^>]*>)?", listed.group(1))))


def module_of(example):
    """Returns the example as a module."""
    if re.search(r"^(tg\.variable|tgx\.\w+ @|func\.func|module)\b", example, re.M):
        return example
    # An operation begins in the first column; its regions do not.
    statements = re.split(r"\n(?=[%\w])", example.replace("\n    :", " :"))
    arguments = {}
    for statement in statements:
        arguments.update(typed_operands(statement))
    for name in re.findall(r"^(%.*?) = ", example, re.M):
        for defined in name.split(", "):
            arguments.pop(defined, None)
    listed = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    return f"{VARIABLES}func.func @example({listed}) {{\n{example}return\n}}\n"


def check_ops(reference):
    """Yields the errors in the examples of a dialect, as sentences."""
    shown = set()
    for name, text in chapters(reference):
        for example in BLOCK.findall(text):
            shown.update(re.findall(r"\btgx?\.\w+", example))
            _, messages = tgc_opt(module_of(example))
            if messages:
                yield f"the example of {name} fails: {messages}"
    for name, _ in chapters(reference):
        if name not in shown and name != "introduction":
            yield f"{name} stands in no example"


def halves(name, example):
    """Returns the options of a pass, its input and its expected output, as written."""
    options = [f"--{name}"]
    if command := re.match(r"// tgc-opt (.*)\n", example):
        options = shlex.split(command.group(1))
    before, _, after = example.partition(ARROW)
    return options, before, after


def check_pass(name, example):
    options, before, after = halves(name, example)
    if not after:
        options.append("--verify-diagnostics")
    found, messages = tgc_opt(before, *options)
    if messages:
        yield f"the example of {name} fails: {messages}"
    elif after:
        expected, messages = tgc_opt(after)
        if messages:
            yield f"what {name} is said to make fails: {messages}"
        elif found != expected:
            lines = difflib.unified_diff(expected.split("\n"), found.split("\n"), "said", "found",
                                         lineterm="")
            yield f"{name} makes something else:\n" + "\n".join(lines)


def check_passes(reference):
    for name, text in chapters(reference):
        examples = BLOCK.findall(text)
        if not examples and name != "introduction":
            yield f"{name} has no example"
        for example in examples:
            yield from check_pass(name, example)


def show(reference, wanted):
    for name, text in chapters(reference):
        for example in BLOCK.findall(text) if name == wanted else []:
            options, before, _ = halves(name, example)
            print(*tgc_opt(before, *options))


def main():
    kind, *arguments = sys.argv[1:]
    if kind == "show":
        return show(*arguments)
    check = {"ops": check_ops, "passes": check_passes}[kind]
    problems = [problem for reference in arguments for problem in check(reference)]
    print(*problems, sep="\n")
    print(f"{len(problems)} wrong examples")
    return sys.exit(bool(problems))


if __name__ == "__main__":
    main()
