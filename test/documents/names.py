#!/usr/bin/env python3
"""Checks that everything that documents name in backticks exists.

    names.py ROOT BUILD

README.md lists the forms of names and their meanings.
"""

import os
import re
import sys

from tree import ENDINGS, Tree, comments_of, ending

FENCE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
# A document that is named without backticks; links and longer paths do not match.
PAGE = re.compile(r"(?<![\w/.`<>*-])[A-Za-z][\w-]*\.md(?![\w`])")
# A link from a page to a file or directory of the tree.
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)[^)\s]*\)")
SPAN = re.compile(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)")

OPTION = re.compile(r"^--([a-z][a-z0-9-]*)(=.*)?$")
DEFINE = re.compile(r"^-D([A-Z][A-Z_]*)(=.*)?$")
OPERATION = re.compile(r"^tgx?\.[a-z_0-9]+$")
PASS = re.compile(r"^tgx?-[a-z]+(-[a-z]+)*$")
PROGRAM = re.compile(r"^tgc(-[a-z]+)?$")
PATH = re.compile(r"^(?!/)[\w<>*.+-]*(/[\w<>*.+-]*)*$")
IDENTIFIER = re.compile(r"^~?[A-Za-z_]\w*((::|\.|->)~?\w+)*(\(.*\))?$")

# If the first column of a table has such a header, it names files of the document's directory.
BESIDE = {"file", "header", "test", "tool", "program", "directory", "room"}
PASSES = "compiler/transforms/Passes.td"
# Programs and dialects of other projects, whose options and operations are not checked.
FOREIGN = {"cc", "clang", "cmake", "ctest", "git", "lit", "mlir-opt", "ninja"}
UPSTREAM = {"arith", "builtin", "func", "llvm", "math", "scf", "vector"}


def without(pattern, text):
    """Returns the text without the matches of a pattern; the other lines keep their numbers."""
    return pattern.sub(lambda found: "\n" * found.group().count("\n"), text)


def spans(text):
    """Yields (line, words) of every span between single backticks."""
    text = without(FENCE, text)
    for found in SPAN.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1).split()


def links(text):
    """Yields (line, path) of the links of a page to files and directories of the tree."""
    text = without(SPAN, without(FENCE, text))
    for found in LINK.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)


def first_cells(text):
    """Yields (line, word) of the names in the first column of tables of files."""
    kind = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("|"):
            kind = None
        elif kind is None:
            kind = set(line.split("|")[1].split()) - {"or"}
        elif kind and kind <= BESIDE:
            for _, words in spans(line.split("|")[1]):
                for word in words:
                    yield number, word


def is_path(word):
    return bool(PATH.match(word) and re.search("[A-Za-z]", word)) and (
        "/" in word or ending(word) in ENDINGS)


def has_option(tree, program, name):
    """Returns true if a tool has the option, or if the called script of the tree has it."""
    if is_path(program) and program in tree.files:
        return f"--{name}" in tree.code[program]
    return program in FOREIGN or name in tree.options


def is_identifier(tree, word):
    parts = re.findall(r"\w+", re.sub(r"\(.*", "", word))
    return parts[0] in UPSTREAM or all(part in tree.words for part in parts)


def kind_if_missing(tree, document, words, word):
    """Returns the kind of thing that a word of a span names if that does not exist, otherwise None."""
    if option := OPTION.match(word):
        return None if has_option(tree, words[0], option.group(1)) else "option"
    if define := DEFINE.match(word):
        return None if define.group(1) in tree.words else "option"
    if is_path(word):
        return None if tree.has_path(document, word) else "path"
    if OPERATION.match(word):
        return None if word in tree.operations else "op"
    if word in tree.programs:
        return None
    if PASS.match(word):
        return None if word in tree.passes else "pass"
    if PROGRAM.match(word):
        return None if word in tree.programs else "program"
    if len(words) == 1 and IDENTIFIER.match(word):
        return None if is_identifier(tree, word) else "identifier"
    return None


def check_document(tree, document, text):
    """Yields (line, kind, name) of everything that a document names and that does not exist."""
    is_source = ending(document) != "md"
    text = comments_of(document, text) if is_source else text
    for line, words in spans(text):
        for word in words:
            word = word.rstrip(",;:")
            if kind := kind_if_missing(tree, document, words, word):
                yield line, kind, word
    for found in PAGE.finditer(text):
        if not tree.has_path(document, found.group()):
            yield text.count("\n", 0, found.start()) + 1, "document", found.group()
    for line, target in [] if is_source else links(text):
        if not tree.matches(os.path.join(os.path.dirname(document), target)):
            yield line, "link", target
    for line, word in [] if is_source else first_cells(text):
        if "/" not in word.rstrip("/") and not tree.has_beside(document, word):
            yield line, "file", word


def check_message(tree, text):
    """Yields the operations that a string names without backticks and that do not exist."""
    text = re.sub(r'\\"[^"\\]*\\"', "", text)
    for word in re.findall(r"(?<![\w./-])tgx?\.\w+(?![\w.*])", text):
        if ending(word) not in ENDINGS and word not in tree.operations:
            yield word


def with_includes(tree, path):
    """Returns the text of a .td file in which files of its directory replace their includes."""
    directory = path.rpartition("/")[0] + "/"
    return re.sub(f'include "({re.escape(directory)}[^"]+)"\n', lambda found: tree.read(found.group(1)),
                  tree.read(path))


def check_order(tree, text):
    """Yields an error unless the sections of Passes.td are phases in the order that tgc lists them."""
    found = re.findall(r"^//=+-+=+//\n// (\w+)\n//=", text, re.M)
    expected = [phase for phase in tree.phases if phase in found]
    if not found or found != expected:
        yield f"expected the phases {expected}, found {found}"


def check(tree):
    """Yields all errors, as sentences."""
    for problem in check_order(tree, with_includes(tree, PASSES)):
        yield f"{PASSES}: {problem}"
    for document, text in tree.documents:
        for line, kind, name in check_document(tree, document, text):
            yield f"{document}:{line}: no such {kind}: {name}"
    for path, line, text in tree.messages:
        for name in check_message(tree, text):
            yield f"{path}:{line}: no such op in a message: {name}"


def main():
    tree = Tree(*sys.argv[1:3])
    problems = list(check(tree))
    print(*problems, sep="\n")
    print(f"{len(problems)} wrong names in {len(tree.documents)} documents")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
