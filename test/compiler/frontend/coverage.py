#!/usr/bin/env python3
"""Finds the parts of the C++ frontend that no test uses.

    coverage.py ROOT

Functions, public members and options that the headers in include/tg declare
must be used in a GoogleTest of the frontend, or in a program that it runs.
Layers, merges, optimizers and losses must be part of a network that
test/numeric trains at every ISA level.
"""

import glob
import os
import re
import sys

HOST = re.compile(r"abi|dtypes|runtime")  # headers that the tests of the runtime cover
NO_CALL = {"bool", "operator", "if", "return", "requires", "decltype", "defined", "sizeof"}

FUNCTION = re.compile(r"^(?:inline )?(?:std::vector<\w+>|[A-Z]\w+) (\w+)\(", re.M)
CLASS = re.compile(r"^class (\w+) : public \w+", re.M)
MADE = re.compile(r"^TG_[A-Z_]+\((\w+)", re.M)  # layers that a macro declares
USERS = ("test/compiler/frontend/**/*.cpp", "test/compiler/frontend/**/*.h",
         "test/numeric/*Networks.cpp", "examples/*/*.h",
         "compiler/frontend/nn/*.cpp")  # layers use the members that custom layers use
LOSS = re.compile(r"^Tensor (\w+(?:Entropy|Error|Loss))\(", re.M)


def without_comments(path):
    """Returns a header without comments and without internal declarations."""
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"/// Internal\b.*?(?=\n *\n|\n *(?:public|private|protected):|\n\})", "", text,
                  flags=re.S)
    return re.sub(r"//[^\n]*|\\\n", "", text)


def classes(text):
    """Yields every class and struct, including inner ones: is a struct, name, body."""
    for match in re.finditer(r"\b(class|struct) (\w+)[^;{()]*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match[1] == "struct", match[2], text[match.end():end - 1]


def public_parts(is_struct, body):
    """Returns the public part of a class without bodies of functions and inner classes."""
    body = re.sub(r" = \{\}", "", body)
    previous = None
    while previous != body:
        previous = body
        body = re.sub(r"\{[^{}]*\}", ";", body)
    parts = re.split(r"\b(public|protected|private):", body)
    shown = parts[0] if is_struct else ""
    for access, part in zip(parts[1::2], parts[2::2]):
        shown += part if access == "public" else ""
    return shown


def members(root):
    """Yields class and name of each public function and of each field of options."""
    for path in sorted(glob.glob(f"{root}/include/tg/**/*.h", recursive=True)):
        if HOST.match(os.path.basename(path)):
            continue
        for is_struct, name, body in classes(without_comments(path)):
            shown = public_parts(is_struct, body)
            for function in re.findall(r"[\w>&*]\s+[&*]*(\w+)\(", shown):
                if function not in NO_CALL and function != name:
                    yield name, function
            if name.endswith("Options"):
                for fields in re.findall(r"^\s*[\w:<>]+(?:<[^;=]*>)? ((?:\w+(?: = [^,;]*)?(?:, )?)+);", shown, re.M):
                    for field in re.findall(r"(\w+)(?: = [^,;]*)?(?:, |$)", fields):
                        yield name, field


def words(root, *patterns):
    """Returns the words of the files."""
    text = "".join(open(path, encoding="utf-8").read() for pattern in patterns
                   for path in glob.glob(f"{root}/{pattern}"))
    return set(re.findall(r"\b(\w+)\b", text))


def declared(root, pattern, *headers):
    found = [name for header in headers for path in sorted(glob.glob(f"{root}/include/tg/{header}"))
             for name in pattern.findall(open(path, encoding="utf-8").read())]
    if not found:
        sys.exit(f"error: {headers} declare nothing")
    return sorted(set(found))


def uncovered(root):
    tests = words(root, "test/compiler/frontend/*/*Test.cpp", "test/compiler/frontend/nn/*.cpp")
    for name in declared(root, FUNCTION, "tensor/elementwise.h", "tensor/functional.h", "tensor/sequences.h",
                         "tensor/sparse.h", "graph/variable.h", "tensor/windows.h", "graph/initializer.h",
                         "nn/loss.h", "graph/optimizer.h", "graph/schedule.h"):
        if name not in tests:
            yield f"{name} is called in no test of the front"
    text = "".join(open(path, encoding="utf-8").read() for pattern in USERS
                   for path in glob.glob(f"{root}/{pattern}", recursive=True))
    used = set(re.findall(r"(?:\.|->|::)(\w+)", text))
    for owner, name in members(root):
        if name not in used:
            yield f"{owner}::{name} is used in no test of the front"
    named = words(root, "test/compiler/frontend/graph/NamesTest.cpp")
    for name in declared(root, CLASS, "nn/[A-Z]*.h") + declared(root, MADE, "nn/[A-Z]*.h"):
        if name not in named:
            yield f"{name} is given a name in no test of names"
    networks = words(root, "test/numeric/*Networks.cpp", "examples/*/*.h")
    names = declared(root, CLASS, "nn/[A-Z]*.h", "nn/merge.h", "graph/optimizer.h") + declared(root, LOSS, "nn/loss.h")
    for name in names:
        if name not in networks:
            yield f"{name} stands in no network of test/numeric"


def main():
    problems = list(uncovered(sys.argv[1]))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
