#!/usr/bin/env python3
"""Finds what the C++ front offers and no test uses.

    coverage.py ROOT

Functions that include/tg declares must be called in a GoogleTest of the front;
layers, merges, optimizers and losses must stand in a network that test/numeric
trains at every level.
"""

import glob
import re
import sys

FUNCTION = re.compile(r"^(?:inline )?(?:std::vector<\w+>|[A-Z]\w+) (\w+)\(", re.M)
CLASS = re.compile(r"^class (\w+) : public \w+", re.M)
LOSS = re.compile(r"^Tensor (\w+(?:Entropy|Error|Loss))\(", re.M)


def words(root, *patterns):
    """The words of the files."""
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
    tests = words(root, "test/compiler/frontend/dsl/*Test.cpp", "test/compiler/frontend/dsl/nn/*.cpp")
    for name in declared(root, FUNCTION, "functional.h", "loss.h", "initializer.h", "optimizer.h", "schedule.h",
                         "variable.h"):
        if name not in tests:
            yield f"{name} is called in no test of the front"
    networks = words(root, "test/numeric/*Networks.cpp", "examples/*/*.h")
    names = declared(root, CLASS, "nn/*.h", "merge.h", "optimizer.h") + declared(root, LOSS, "loss.h")
    for name in names:
        if name not in networks:
            yield f"{name} stands in no network of test/numeric"


def main():
    problems = list(uncovered(sys.argv[1]))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
