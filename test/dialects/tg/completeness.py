#!/usr/bin/env python3
"""Finds ops without a test of their syntax, constraints without a test of their
diagnostic, and rules of ops without a case.

    completeness.py REFERENCE DIRECTORY...

The reference is what the build makes of the registry: a chapter per op, whose
text names its constraints, C1 and so on, and its interfaces. Tests stand in
files *-ops.mlir, in *-invalid.mlir as functions @<op>_<label> or kernels of that
name (or below a line `// <op>_<label>`), and in the GoogleTests of RULES by the
name of the op.
"""

import glob
import re
import sys


# Which tests have a case for every op in whose chapter a line is so.
RULES = {
    "Interfaces: .*`EvaluableOpInterface`": "*ValueTest.cpp",
    "Interfaces: .*`ElementwiseOpInterface`": "OpScalarTest.cpp",
    r"\* Gradient": "*GradientTest.cpp StateRows.cpp HostRows.cpp RegionGradientRows.cpp",
}


def chapters(path):
    """(op without its dialect, text) in the order of the reference."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^### `\w+\.(\w+)`.*$", file.read(), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def labels(text):
    """The constraints of an op that its own rules check: not those of ODS, which
    have upstream's messages. Each with the general rule that it may be tested as:
    `C1: the axis is valid [G3]`."""
    parts = re.split(r"\b(C\d+)(?=\b)", text.split("\nTraits:")[0])
    for own, words in zip(parts[1::2], parts[2::2]):
        if not words.startswith(" (ODS)"):
            general = re.search(r"\[(G\d+)\]", words)
            yield own, general.group(1) if general else own


def read(patterns, directories):
    return "".join(open(path, encoding="utf-8").read() for directory in directories
                   for pattern in patterns.split()
                   for path in sorted(glob.glob(f"{directory}/{pattern}")))


def missing(reference, directories):
    syntax = read("*-ops.mlir", directories)
    tested = set(re.findall(r"(?:@|// |sym_name = \")(\w+?_[cg]\d+)", read("*-invalid.mlir", directories)))
    cases = {rule: set(re.findall(r"\w+", read(files, directories)))
             for rule, files in RULES.items()}
    ops = chapters(reference)
    if len(ops) < 10:
        yield f"{reference} has {len(ops)} ops"
    for op, text in ops:
        if not re.search(rf"\btgx?\.{op}\b", syntax):
            yield f"{op} stands in no *-ops.mlir"
        for own, general in labels(text):
            if not {f"{op}_{own.lower()}", f"{op}_{general.lower()}"} & tested:
                yield f"{op} has no test of {own}"
        for rule, known in cases.items():
            if re.search("^" + rule, text, re.M) and op not in known:
                yield f"{op} has no case in {RULES[rule]}"


def main():
    problems = list(missing(sys.argv[1], sys.argv[2:]))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
