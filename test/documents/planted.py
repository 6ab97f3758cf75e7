#!/usr/bin/env python3
"""Plants wrong names and counts and removes named files.

names.py and counts.py must detect each.

    planted.py ROOT BUILD
"""

import os
import re
import sys

from counts import checked_numbers, counts
from names import (check_document, check_message, check_order, first_cells, is_path,
                   spans)
from tree import Tree, ending

WRONG = [
    ("path", "compiler/transforms/Nowhere.cpp"),
    ("path", "Nowhere.cpp"),
    ("path", "nowhere/"),
    ("option", "--no-such-option"),
    ("option", "tgc-run --no-such-option"),
    ("option", "-DTG_NOWHERE=ON"),
    ("op", "tg.all_reduce"),
    ("op", "tgx.nothing"),
    ("pass", "tg-do-nothing"),
    ("program", "tgc-nothing"),
    ("identifier", "NoSuchStem"),
    ("identifier", "noSuchFunction()"),
]
COUNTS = ["That\nis 3 files.", "Of the 86 ops", "twelve lit tests", "12,345,678 parameters"]
NO_COUNTS = ["at most 30 files", "25,300 parameters", "`3 files`", "f32", "two files",
             "    make-npy.py x.npy 32 files"]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "compiler/transforms/Passes.td", "include/tg/abi.h"]


def as_text(document, name):
    """Returns a document that names `name` in the way its kind names things."""
    if ending(document) == "md":
        return f"See `{name}`.\n"
    return f"let description = [{{ See `{name}`. }}];" if ending(document) == "td" \
        else f"/// See `{name}`.\n"


def unnoticed_names(tree):
    for document in DOCUMENTS:
        for kind, name in WRONG:
            found = list(check_document(tree, document, as_text(document, name)))
            if [(line, what) for line, what, _ in found] != [(1, kind)]:
                yield f"{document}: a wrong {kind} gives {found}: {name}"
        text = as_text(document, "nowhere.md").replace("`", "")
        if [(line, what) for line, what, _ in check_document(tree, document, text)] != [(1, "document")]:
            yield f"{document}: a document that is nowhere is not noticed"
    for text in ("See [it](nowhere).\n", "See [`it`](../nowhere.md#part).\n"):
        if [what for _, what, _ in check_document(tree, "docs/install.md", text)] != ["link"]:
            yield f"a wrong link is not noticed: {text}"
    table = "| file | what |\n| --- | --- |\n| `Tree`, `Nowhere` | nothing |\n"
    if (3, "file", "Nowhere") not in check_document(tree, "test/documents/README.md", table):
        yield "a wrong stem in a table is not noticed"
    part = "//===---===//\n// {}\n//===---===//\n"
    if not list(check_order(tree, part.format("fuse") + part.format("graph"))):
        yield "a wrong order of phases is not noticed"
    if not list(check_message(tree, '"expected tg.all_reduce around it"')):
        yield "a wrong op in a message is not noticed"


def unnoticed_counts(tree):
    checked = checked_numbers(tree)
    for text in COUNTS:
        if not list(counts(text, checked)):
            yield f"a count is not noticed: {text}"
    for text in NO_COUNTS:
        if found := list(counts(text, checked)):
            yield f"no count of the tree gives {found}: {text}"


def files_named(tree, document, word, is_cell):
    """Returns all files that a word of a document may stand for."""
    if is_cell and "/" not in word:
        place = os.path.dirname(document)
        return {file for file in tree.files if os.path.dirname(file) == place
                and word in (os.path.basename(file), os.path.basename(file).split(".")[0])}
    return {file for file in tree.files if ("/" + file).endswith("/" + word)}


def names_of_files(text):
    """Yields (word, is_cell) for the plain paths and stems of a document."""
    cells = {word for _, word in first_cells(text)}
    others = {word.rstrip(",;:") for _, words in spans(text) for word in words} - cells
    for word in sorted(cells) + sorted(word for word in others if is_path(word)):
        if re.match(r"^[\w./-]*\w$", word):
            yield word, word in cells


def unnoticed_renames(tree):
    """Yields files that documents name and whose absence names.py does not detect."""
    count = 0
    for document, text in tree.documents:
        for word, is_cell in names_of_files(text) if ending(document) == "md" else []:
            named = files_named(tree, document, word, is_cell)
            if not named:
                continue
            tree.files -= named
            if word not in {name for _, _, name in check_document(tree, document, text)}:
                yield f"{document}: nobody notices that {named} is gone: {word}"
            tree.files |= named
            count += 1
    if count < 100:
        yield f"only {count} files are named"


def main():
    tree = Tree(*sys.argv[1:])
    problems = [*unnoticed_names(tree), *unnoticed_counts(tree), *unnoticed_renames(tree)]
    print(*problems, sep="\n")
    print(f"{len(problems)} faults unnoticed")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
