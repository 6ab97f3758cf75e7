#!/usr/bin/env python3
"""Prints the error messages that say what was expected, but not what was found.

A message is an expression with "expected ..." in a string. It says what was
found if a value is joined to it with + or <<, if its format has a place for a
value ("%s", "{0}"), or if its text does ("found none", "x is y, expected z").
The exceptions are listed with their reasons in messages-without-value.txt; the
status is 1 if a message is not among them, or if an exception is no message.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("messages-without-value.txt")
DIRECTORIES = ["compiler", "dialects", "runtime", "include", "tools"]
SUFFIXES = [".c", ".h", ".cpp", ".hpp", ".td"]

TOKEN = re.compile(
    r"""(?P<comment> //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\\\n]|\\.|\\\n)* )
      | R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)" | "(?:[^"\\\n]|\\.)*"
      | '(?:[^'\\\n]|\\.)+' | [A-Za-z_]\w* | \d[\w.']*
      | << | == | != | \+= | :: | -> | \S""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
JOINS = ("+", "<<")
BRACKETS = {"(": ")", "[": "]", "{": "}"}
BLOCKS = (";", "{", "}")
# Tokens that end a message, outside of brackets in it.
BOUNDS = BLOCKS + (",", "?", ":", "=", "+=", "return", "throw", "else")
# Functions that compare a string to a message.
COMPARISONS = ("starts_with", "contains", "matches", "says")

EXPECTED = re.compile(r"\bexpected .")
PLACE = re.compile(r"%[-.*\d]*(ll|l|z)?[a-zA-Z]|\{\d+[^}]*\}")
FOUND = re.compile(r"\b(found|got)\b|, expected\b|\b(is|are|has|holds)\b.*[:;] expected\b")


def is_string(token):
    return token.endswith('"')


def text_of(tokens):
    """Returns the texts of the strings, joined as the compiler joins them."""
    return "".join(re.sub(r'^R?"|"$', "", token) for token in tokens if is_string(token))


class Source:
    """The tokens of a file, without comments and directives."""

    def __init__(self, text):
        matches = [match for match in TOKEN.finditer(text) if not match["comment"]]
        self.tokens = [match[0] for match in matches]
        self.lines = [text.count("\n", 0, match.start()) + 1 for match in matches]
        # The index of the other bracket of each bracket.
        self.partner, opened = {}, []
        for index, token in enumerate(self.tokens):
            if token in BRACKETS:
                opened.append(index)
            elif token in BRACKETS.values() and opened:
                self.partner[index] = opened.pop()
                self.partner[self.partner[index]] = index

    def token(self, index):
        """Returns the token at an index; a bound outside of the file."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else ";"

    def reach(self, index, step, bounds):
        """Returns the last index before a bound, in steps of 1 or -1."""
        while True:
            following = index + step
            token = self.token(following)
            if token in bounds:
                return index
            if token in BRACKETS or token in BRACKETS.values():
                # A bracket around the index, unless its partner lies beyond.
                other = self.partner.get(following, index)
                if (other - index) * step <= 0:
                    return index
                following = other
            index = following

    def message(self, start, end):
        """Returns the first and the last index of the message of an operand."""
        first, last = self.reach(start, -1, BOUNDS), self.reach(end, 1, BOUNDS)
        opening = self.reach(start, -1, BLOCKS) - 1
        closing = self.partner.get(opening, len(self.tokens))
        # An operand in brackets: std::string("expected ") + name.
        if self.token(opening) == "(" and (
                self.token(opening - 1) in JOINS or self.token(closing + 1) in JOINS):
            return self.message(opening, closing)
        return first, last

    def begins_message(self, index):
        """Returns True for "expected ..." that is compared to nothing."""
        return (is_string(self.tokens[index]) and EXPECTED.search(self.tokens[index])
                and not {self.token(index - 1), self.token(index + 1)} & {"==", "!="}
                and self.token(index - 2) not in COMPARISONS)

    def messages(self):
        """Yields the line and the tokens of each message."""
        past = -1
        for index in range(len(self.tokens)):
            if index > past and self.begins_message(index):
                first, past = self.message(index, index)
                yield self.lines[index], self.tokens[first:past + 1]


def operands_of(tokens):
    """Returns the operands that are joined, and the first operator."""
    operands, first, depth = [[]], "", 0
    for token in tokens:
        depth += (token in BRACKETS) - (token in BRACKETS.values())
        if depth == 0 and token in JOINS:
            first = first or token
            operands.append([])
        else:
            operands[-1].append(token)
    return operands, first


def says_found(tokens):
    """Returns True if a message says what was found."""
    text = text_of(tokens)
    if FOUND.search(text) or PLACE.search(text):
        return True
    operands, join = operands_of(tokens)
    # The stream is no part of the message: emitOpError() << "expected ...".
    texts = [text_of(operand) for operand in operands[join == "<<":]]
    # The text before ": expected ..." is a location.
    start = next((index for index, text in enumerate(texts) if text.startswith(": ")), 0)
    return not all(texts[start:])


def read_exceptions():
    """Returns the exceptions, as "path: message"."""
    exceptions = set()
    for line in LIST.read_text(encoding="utf-8").splitlines():
        message, mark, reason = line.partition(" -- ")
        if not mark or not reason:
            sys.exit(f"error: expected 'path: message -- reason' in {LIST.name}, found '{line}'")
        exceptions.add(message)
    return exceptions


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="also print the exceptions")
    parser.add_argument("--count", action="store_true", help="print how many messages there are")
    arguments = parser.parse_args()
    command = ["git", "-C", ROOT, "ls-files", "-z", "--", *DIRECTORIES]
    paths = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    exceptions, seen, wrong, count = read_exceptions(), set(), 0, 0
    for path in paths:
        if pathlib.Path(path).suffix not in SUFFIXES or not (ROOT / path).exists():
            continue
        for line, tokens in Source((ROOT / path).read_text(encoding="utf-8")).messages():
            count += 1
            if says_found(tokens):
                continue
            message = f"{path}: {text_of(tokens)}"
            seen.add(message)
            wrong += message not in exceptions
            if arguments.all or message not in exceptions:
                print(f"{path}:{line}: {text_of(tokens)}")
    for message in sorted(exceptions - seen):
        print(f"{LIST.name}: no message without a value: {message}")
        wrong += 1
    if arguments.count:
        print(f"{count} messages, {len(seen)} without what was found, {len(exceptions)} exceptions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
