#!/usr/bin/env python3
"""Finds counts of things in the tree, which nobody updates when the tree changes.

    counts.py ROOT BUILD

Documents must not contain a number before a thing of the tree ("12 passes",
"three files"), except limits ("at most 30 files") and numbers in the code of an
example or a test, which checks them ("25,300 parameters").
"""

import re
import sys

from names import FENCE, SPAN, without
from tree import Tree, ending

COMMAND = re.compile(r"^    .*$", re.M)
COUNT = re.compile(r"(?<![\w.,^-])(\d+(?:,\d{3})*|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
                   r"\s+(?:[a-z-]+\s+)?(?:cases|faults|files?|functions|fuzzers|headers|lines|networks|operations|"
                   r"ops|pages|parameters|passes|phases|pictures|programs|rooms|scenarios|sources|tests|tools)\b")
LIMIT = re.compile(r"\b(at most( about)?|aim at|up to)\s+$")
# Smaller numbers are in the code of some test by chance.
LEAST_CHECKED = 1000


def checked_numbers(tree):
    """Returns the numbers in the code of examples and tests."""
    return {int(number.replace("'", "")) for path, code in tree.code.items()
            if path.startswith(("examples/", "test/")) for number in re.findall(r"\b\d[\d']*\b", code)}


def counts(text, checked):
    """Yields (line, count) of the counts of a document that no test checks."""
    for code in (FENCE, SPAN, COMMAND):
        text = without(code, text)
    for found in COUNT.finditer(text):
        number = found.group(1).replace(",", "")
        is_checked = number.isdigit() and LEAST_CHECKED <= int(number) and int(number) in checked
        if not is_checked and not LIMIT.search(text[:found.start()]):
            yield text.count("\n", 0, found.start()) + 1, " ".join(found.group().split())


def main():
    tree = Tree(*sys.argv[1:3])
    checked = checked_numbers(tree)
    problems = [f"{document}:{line}: expected no count that no test checks, found '{count}'"
                for document, text in tree.documents if ending(document) == "md"
                for line, count in counts(text, checked)]
    print(*problems, sep="\n")
    print(f"{len(problems)} counts")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
